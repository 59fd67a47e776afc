import { contactWords } from "#content/contact";

type Choice = (typeof contactWords.interests)[number];
export type InterestLabel = Choice["label"];

/** What a visitor reads in place of the stored value. */
export function labelOf(interest: Choice["value"]): InterestLabel {
  const choice = contactWords.interests.find(({ value }) => value === interest);
  if (!choice) throw new Error(`The form has no choice “${interest}”.`);
  return choice.label;
}
