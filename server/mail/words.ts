import { brand } from "#content/brand";
import type { Letter } from "./letter.ts";

/** What we write to the owner of an account. */
export const letters = {
  "confirm-address": {
    subject: `Confirm your email address for ${brand.name}`,
    paragraphs: [
      `Welcome to ${brand.name}.`,
      "Please confirm that this address is yours. The link works once, and for one day.",
    ],
    button: "Confirm my address",
    remark: "You did not sign up? Then somebody mistyped their address, and you can ignore this mail.",
  },
  "already-registered": {
    subject: `You already have an account at ${brand.name}`,
    paragraphs: [
      "Somebody, probably you, just signed up with this address.",
      "There is an account for it already, so nothing has changed. You can log in with the password you chose then.",
    ],
    button: "Log in",
    remark: "It was not you? Then there is nothing to do: nobody learned that you have an account.",
  },
} as const satisfies Record<string, Letter>;
