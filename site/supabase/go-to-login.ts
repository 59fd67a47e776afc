import { withStorage } from "./browser-storage";
import { pendingSignOut } from "./sign-out";

/**
 * The page of the work tool that sends a person to the login, which leads back there
 * (docs/specification.md#way-back-after-a-login). It is in the fragment of the login's address, which mailed-link.ts moves
 * to the state of the history entry: so each tab leads back to its own page, however long the login waits. Local storage
 * has it too, because a mailed link opens another tab. return-address.ts reads both.
 */
export const returnAddressKey = "return-address";
const dropped = "dropped";
let leadsBack = true;

/**
 * Drops the way back in all tabs, because the next account must not be led to the page of the last one. A logout calls it
 * first: so the other tabs hear of it before they hear that the session is gone.
 */
export function dropReturnAddress() {
  leadsBack = false;
  withStorage("localStorage", (storage) => {
    storage.setItem(returnAddressKey, dropped);
    storage.removeItem(returnAddressKey);
  });
}

if (typeof window !== "undefined")
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key !== returnAddressKey || newValue !== dropped) return;
    leadsBack = false;
    window.history.replaceState({ ...window.history.state, back: undefined }, "");
  });

/**
 * Replaces this page with the login. After a logout the page waits for the server, and nothing leads back here; a person
 * whose session is missing or lost comes back to the inbox. `replace` takes the page out of the history, so that Back does
 * not lead to the contacts again.
 */
export async function goToLogin(): Promise<void> {
  const isAccount = window.location.pathname === "/account";
  const fragment = leadsBack && !isAccount ? `#${keepReturnAddress(thisAddress())}` : "";
  await pendingSignOut();
  window.location.replace(`/auth${fragment}`);
}

/**
 * Replaces this page with the step of the second factor, which leads back to `address`. The fragment is that of
 * mailed-link.ts, written out: an import would make the inbox load one more file.
 */
export function goToSecondFactor(address = thisAddress()) {
  window.location.replace(`/auth#second-factor=back&${keepReturnAddress(address)}`);
}

/** Stores the address, and returns the field of the fragment. */
function keepReturnAddress(address: string): string {
  const stored = JSON.stringify({ address, storedAt: Date.now() });
  withStorage("localStorage", (storage) => storage.setItem(returnAddressKey, stored));
  return `back=${encodeURIComponent(address)}`;
}

function thisAddress(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}
