export interface Reason {
  name: string;
  text: string;
  /** How the reader checks it: a link. */
  ask: { label: string; href: string };
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
    ask: { label: "Ask for the statistics.", href: "/#contact" },
  },
  {
    name: "AI-native methodology",
    text: "Every plan begins with what can be automated.",
    ask: { label: "Ask to see ours running.", href: "/#contact" },
  },
  {
    name: "Dual experience",
    text: "We scale our own products and those of our partners.",
    ask: { label: "Ask what failed.", href: "/#contact" },
  },
  {
    name: "Flexible collaboration",
    text: "Consulting, co-ventures or partnerships.",
    ask: { label: "Ask for the terms of each.", href: "/#contact" },
  },
];
