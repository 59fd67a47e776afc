import { brand } from "./brand.ts";

/**
 * The server answers this where it cannot pass a contact on to a hosted project. The file is apart from messages.ts,
 * because the browser does not need it.
 */
export const hostedMessages = {
  notSaved: `Your details could not be saved. Please write to ${brand.email} instead.`,
} as const;
