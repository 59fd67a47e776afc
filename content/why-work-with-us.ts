export interface Reason {
  name: string;
  text: string;
  /**
   * What proves the reason. Its value is set larger than anything else in the section, so one reason has it. `source` and
   * `time` say where the number is from and when it was read.
   */
  figure?: { value: string; label: string; source: string; time: string };
}

export const reasonsIntroduction = {
  label: "Why Work With Us",
  claim: "Good reasons, and how to check them",
  call: { label: "Partner With Us", href: "/#contact-partnerships" },
  callNote: "The form opens on Partnerships.",
} as const;

/** `name` is a claim, and `text` tells the reader how to check it. */
export const reasons: readonly Reason[] = [
  {
    name: "Proven traction",
    text: "Millions of monthly views across owned channels. Ask for the statistics.",
  },
  {
    name: "AI-native methodology",
    text: "Every plan begins with what can be automated. Ask to see ours running.",
  },
  {
    name: "Dual experience",
    text: "We scale our own products and those of partners. Ask what failed, and its cost.",
  },
  {
    name: "Flexible collaboration",
    text: "Consulting, co-ventures or partnerships. Ask for the terms of each.",
  },
];
