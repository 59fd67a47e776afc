import { contactWords } from "#content/contact";
import { workWords } from "#content/contact-work";

const localTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function formatTime(time: string): string {
  return localTime.format(new Date(time));
}

/** A `mailto:` address. With `reply`, the mail has a subject of ours. */
export function mailAddress(email: string, reply = false): string {
  const subject = reply ? `?subject=${encodeURIComponent(workWords.replySubject)}` : "";
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}${subject}`;
}

const interestLabels = new Map<string, string>(contactWords.interests.map(({ value, label }) => [value, label]));

export function labelOfInterest(interest: string): string {
  return interestLabels.get(interest) ?? interest;
}
