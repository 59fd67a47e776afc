export interface Reason {
  name: string;
  text: string;
  /** How the reader checks it. */
  ask: string;
  /**
   * What proves the reason. Its value is set larger than anything else in the section, so one reason has it. `source` and
   * `time` say where the number is from and when it was read.
   */
  figure?: { value: string; label: string; source: string; time: string };
}

export const reasonsIntroduction = {
  label: "Why Work With Us",
  claim: "Ask us to prove it.",
  call: { label: "Partner With Us", href: "/#contact-partnerships" },
} as const;

export const reasons: readonly Reason[] = [
  {
    name: "Proven traction",
    text: "Millions of monthly views across the channels we own.",
    ask: "Ask for the statistics.",
  },
  {
    name: "AI-native methodology",
    text: "Every plan begins with what can be automated.",
    ask: "Ask to see ours running.",
  },
  {
    name: "Dual experience",
    text: "We scale our own products and those of our partners.",
    ask: "Ask what failed.",
  },
  {
    name: "Flexible collaboration",
    text: "Consulting, co-ventures or partnerships.",
    ask: "Ask for the terms of each.",
  },
];
