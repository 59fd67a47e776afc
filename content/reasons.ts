export interface Reason {
  name: string;
  text: string;
}

export const reasonsIntroduction = {
  label: "Why Work With Us",
  claim: "Four reasons founders can check",
  call: { label: "Partner With Us", href: "/#contact" },
} as const;

/** `name` is a claim, and `text` tells the reader how to check it. */
export const reasons: readonly Reason[] = [
  {
    name: "AI-native methodology",
    text: "Automation is where we start, not what we add. Ask to watch one of our own processes at work.",
  },
  {
    name: "Proven traction",
    text: "Millions of monthly views across owned channels. Ask for the statistics; we read them with you.",
  },
  {
    name: "Dual experience",
    text: "We scale our own products and those of our partners. Ask us what did not work, and what it cost.",
  },
  {
    name: "Flexible collaboration",
    text: "Consulting, co-ventures or partnerships. Tell us what risk you want to share; the form follows.",
  },
];
