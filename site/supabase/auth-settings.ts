import { backendAddress, publicKey, storageKey } from "./client";
import { fetchWithTimeout } from "./timeout";

/** What the auth API says about sign-up and passwords before anybody signs in (docs/protocol.md#settings-and-health). */
export interface AuthSettings {
  signUpIsOpen: boolean;
  /** Undefined on a hosted project, which does not tell. */
  passwordCharactersMin: number | undefined;
}

let asked: Promise<AuthSettings | undefined> | undefined;

/** Asks once for all components of the page. Undefined without an answer: the pages then offer what is usual. */
export function readAuthSettings(): Promise<AuthSettings | undefined> {
  asked ??= ask().catch(() => undefined);
  return asked;
}

async function ask(): Promise<AuthSettings | undefined> {
  // Without an address or a key, the forms show the client library's message about it.
  if (!storageKey() || !publicKey()) return undefined;
  const response = await fetchWithTimeout(backendAddress("/auth/v1/settings"), { headers: { apikey: publicKey() } });
  const { disable_signup: isClosed, password_min_length: charactersMin } = await response.json();
  return {
    signUpIsOpen: isClosed !== true,
    passwordCharactersMin: Number.isInteger(charactersMin) ? charactersMin : undefined,
  };
}
