export interface Reason {
  name: string;
  text: string;
}

export const reasonsIntroduction = {
  label: "Why Work With Us",
  claim: "Four reasons founders can check",
  call: { label: "Partner With Us", href: "/#contact" },
} as const;

export const reasons: readonly Reason[] = [
  {
    name: "AI-native methodology",
    text: "Automation is where we start, not what we add. Every process is designed for a small team with good machines.",
  },
  {
    name: "Proven traction",
    text: "Millions of monthly views across owned channels. We grew them ourselves, and we show you how.",
  },
  {
    name: "Dual experience",
    text: "We scale our own products and those of our partners, so we know both chairs at the table.",
  },
  {
    name: "Flexible collaboration",
    text: "Consulting, co-ventures or partnerships: we agree on the form that fits the risk you want to share.",
  },
];
