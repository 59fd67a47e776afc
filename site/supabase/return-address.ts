import { withStorage } from "./browser-storage";
import { returnAddressKey } from "./go-to-login";

const lifetimeMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Returns the address that led this tab to the login, and removes it from the storage, so that it is offered only once.
 * With "any tab" the address that another tab has stored counts too.
 */
export function takeReturnAddress(from: "this tab" | "any tab"): string | undefined {
  const stored = withStorage("localStorage", (storage) => {
    const { address, storedAt } = JSON.parse(storage.getItem(returnAddressKey) ?? "{}");
    storage.removeItem(returnAddressKey);
    return Date.now() - storedAt < lifetimeMilliseconds ? address : undefined;
  });
  return workAddress(window.history.state?.back) ?? (from === "any tab" ? workAddress(stored) : undefined);
}

/**
 * Returns the address if it is below /admin/ on this site, or the account page. It is checked when it is read, which
 * prevents an open redirect through a changed value or a fragment that a stranger has written.
 */
function workAddress(address = ""): string | undefined {
  const { origin } = window.location;
  if (!URL.canParse(address, origin)) return undefined;
  const { origin: target, pathname, search, hash } = new URL(address, origin);
  const isWork = pathname.startsWith("/admin/") || pathname === "/account";
  return target === origin && isWork ? pathname + search + hash : undefined;
}
