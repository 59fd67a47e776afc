import { contactWords } from "#content/contact";

export const interestLabels = contactWords.interests.map(({ label }) => label);
export type InterestLabel = (typeof contactWords.interests)[number]["label"];
