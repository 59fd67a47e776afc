import type { Interest } from "#validation/contact";

/** The choices of form, inbox and mails, in their order. Their labels are fixed (docs/specification.md#interests). */
const interests = [
  { value: "consulting", label: "Consulting", line: "We advise you, inside your team." },
  { value: "co-development", label: "Co-development", line: "We build the product together." },
  { value: "partnerships", label: "Partnerships", line: "We enter markets together." },
] as const satisfies readonly { value: Interest; label: string; line: string }[];

/** Texts of the contact form and the next steps beside it; its messages are in `messages.ts`. */
export const contactWords = {
  name: "Name",
  company: "Company",
  email: "Email",
  interest: "What are you interested in?",
  interests,
  send: "Send",
  sending: "Sending...",
  /** Below the message that a contact came too soon. */
  wait: (seconds: number) =>
    seconds > 0 ? `You can try again in ${seconds} second${seconds === 1 ? "" : "s"}.` : "You can try again now.",
  data: {
    start: "We use your details only to reply. How long we keep them is in our ",
    link: { label: "privacy policy", href: "/privacy-policy" },
    end: ".",
  },
  next: {
    title: "What happens next",
    steps: [
      { name: "A person reads it", text: "No scoring, no automated replies." },
      {
        name: "We write back",
        text: "With two or three questions, or an honest no.",
      },
      {
        name: "We talk for half an hour",
        text: "It is free, and you decide afterwards.",
      },
    ],
  },
  /** Follows the lead of the section; the address of the brand stands between the two. */
  mail: { start: "Or write to ", end: "." },
} as const;

export function findInterestLabel(interest: string): string | undefined {
  return contactWords.interests.find(({ value }) => value === interest)?.label;
}
