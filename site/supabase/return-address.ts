import { withStorage } from "./browser-storage";
import { pendingSignOut } from "./sign-out";

/**
 * The page of the work tool that a person without a session wanted to see, for the note after the login
 * (docs/specification.md#way-back-after-a-login). It is in local storage, because a mailed link opens another tab.
 */
const key = "return-address";
const lifetimeMilliseconds = 60 * 60 * 1000;
const lengthMax = 2_000;

/**
 * Replaces this page with the login. After a logout the page waits for the server, and nothing leads back here; a person
 * whose session is missing or lost finds the way back to the work tool. `replace` takes the page out of the history, so
 * that Back does not lead to the contacts again.
 */
export async function goToLogin(): Promise<void> {
  const signOut = pendingSignOut();
  if (signOut) takeReturnAddress();
  else if (window.location.pathname !== "/account")
    storeReturnAddress(window.location.pathname + window.location.search);
  await signOut;
  window.location.replace("/auth");
}

/**
 * Replaces this page with the step of the second factor, which leads back to `address`. The fragment is that of
 * mailed-link.ts, written out: an import would make the inbox load one more file.
 */
export function goToSecondFactor(address = window.location.pathname + window.location.search) {
  storeReturnAddress(address);
  window.location.replace("/auth#second-factor=back");
}

/** Returns the stored address and removes it, so that it is offered only once. */
export function takeReturnAddress(): string | undefined {
  return withStorage("localStorage", (storage) => {
    const stored = storage.getItem(key);
    storage.removeItem(key);
    const { address, storedAt } = JSON.parse(stored ?? "{}");
    return Date.now() - storedAt < lifetimeMilliseconds ? workAddress(address) : undefined;
  });
}

function storeReturnAddress(address: string) {
  if (!workAddress(address) || address.length > lengthMax) return;
  withStorage("localStorage", (storage) => storage.setItem(key, JSON.stringify({ address, storedAt: Date.now() })));
}

/**
 * Returns the address if it is below /admin/ on this site, or the account page. The stored text is checked again when
 * it is read, which prevents an open redirect through a changed value.
 */
function workAddress(address: string): string | undefined {
  const { origin } = window.location;
  const { origin: target, pathname, search, hash } = new URL(address, origin);
  const isWork = pathname.startsWith("/admin/") || pathname === "/account";
  return target === origin && isWork ? pathname + search + hash : undefined;
}
