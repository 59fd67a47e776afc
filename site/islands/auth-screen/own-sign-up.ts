import { withStorage } from "../../supabase/browser-storage";

/**
 * Remembers that this browser signed up with an address. A stranger can sign up with any address, so a confirmation in
 * another browser asks for a new password (docs/specification.md#confirmation-by-mail). The value is a hash, because
 * other people who use this browser need not see the address.
 */
const key = "own-sign-up";
const lifetimeMilliseconds = 2 * 24 * 60 * 60 * 1000;

export async function rememberOwnSignUp(email: string) {
  const hash = await hashOf(email);
  if (!hash) return;
  withStorage("localStorage", (storage) => storage.setItem(key, JSON.stringify({ hash, at: Date.now() })));
}

/** Whether this browser signed up lately, with any address: a mailed link does not contain the address. */
export function hasOwnSignUp(): boolean {
  return find() !== undefined;
}

export async function isOwnSignUp(email: string): Promise<boolean> {
  const stored = find();
  return stored !== undefined && stored.hash === (await hashOf(email));
}

export function forgetOwnSignUp() {
  withStorage("localStorage", (storage) => storage.removeItem(key));
}

function find(): { hash: string } | undefined {
  return withStorage("localStorage", (storage) => {
    const stored = JSON.parse(storage.getItem(key) ?? "null");
    const age = Date.now() - Number(stored?.at);
    return age >= 0 && age < lifetimeMilliseconds && typeof stored.hash === "string" ? stored : undefined;
  });
}

/** Undefined on a page without HTTPS, where browsers have no `subtle`. The confirmation then asks for a password. */
async function hashOf(email: string): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(email.trim().toLowerCase());
  const hash = await window.crypto.subtle?.digest("SHA-256", bytes);
  return hash && btoa(String.fromCharCode(...new Uint8Array(hash)));
}
