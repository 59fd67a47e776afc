import { withStorage } from "./browser-storage";
import { pendingSignOut, readTokens, type Scope, signOut } from "./sign-out";

/**
 * Where a login leads: the page of the work tool that sent a tab to it (docs/specification.md#way-back-after-a-login).
 * All intents are in local storage, by tab: a logout in any tab removes them all, and a mailed link, which opens another
 * tab, finds them.
 */
interface Intent {
  address: string;
  /** The account that was logged in; undefined if none was. Another account is not led there. */
  account?: string | undefined;
  /** When it was stored, in milliseconds since 1970. */
  at: number;
  /** A mailed link has led another tab there. */
  isTaken?: boolean;
}

const intentsKey = "navigation-intents";
const tabKey = "tab";
/** The landing page says in this tab that the login has succeeded (site/sections/LoggedIn.astro). */
export const loggedInKey = "logged-in";
const dropped = "dropped";
const dayMilliseconds = 24 * 60 * 60 * 1000;
/** A tab may wait at the login over a weekend. */
const millisecondsMax = 7 * dayMilliseconds;

/** The account of this page. At a logout the session is gone before the page leaves. */
const account = typeof window === "undefined" ? undefined : readTokens()?.user?.id;
let leadsBack = true;

/**
 * Replaces this page with the login. After a logout the page waits for the server, and nothing leads back here; a person
 * whose session is missing or lost comes back. `replace` takes the page out of the history, so that Back does not lead to
 * the contacts again.
 */
export async function goToLogin(): Promise<void> {
  if (leadsBack && window.location.pathname !== "/account") keepIntent(thisAddress());
  await pendingSignOut();
  window.location.replace("/auth");
}

/** Replaces this page with the step of the second factor, which leads back to `address`. */
export function goToSecondFactor(address = thisAddress()) {
  keepIntent(address);
  window.location.replace("/auth#second-factor");
}

/** Logs out on all devices, or on this one. No tab is led back: the next account must not see the page of the last one. */
export function logOut(scope: Scope): Promise<void> {
  dropIntents();
  signOut(scope);
  return goToLogin();
}

/**
 * Returns the page that led this tab to the login, once. With "any tab" the newest one of another tab counts too, for a
 * day.
 */
export function takeIntent(from: "this tab" | "any tab"): string | undefined {
  const intents = readIntents();
  const tab = knownTab() ?? "";
  const present = readTokens()?.user?.id;
  const isMine = (intent: Intent) => !intent.account || intent.account === present;
  const own = intents[tab];
  const others = Object.values(intents).filter(({ at, isTaken }) => !isTaken && isYounger(at, dayMilliseconds));
  const taken = own ?? (from === "any tab" ? others.sort((one, other) => other.at - one.at).find(isMine) : undefined);
  if (!taken) return undefined;
  delete intents[tab];
  taken.isTaken = true;
  writeIntents(intents);
  return isMine(taken) ? workAddress(taken.address) : undefined;
}

/** The landing page, which says once that the login has succeeded. */
export function landingAfterLogin(): string {
  withStorage("sessionStorage", (storage) => storage.setItem(loggedInKey, ""));
  return "/";
}

function keepIntent(address: string) {
  const tab = knownTab() ?? Math.random().toString(36).slice(2);
  withStorage("sessionStorage", (storage) => storage.setItem(tabKey, tab));
  writeIntents({ ...readIntents(), [tab]: { address, account, at: Date.now() } });
}

/** A logout calls this first, so that the other tabs hear of it before they hear that the session is gone. */
function dropIntents() {
  leadsBack = false;
  withStorage("localStorage", (storage) => {
    storage.setItem(intentsKey, dropped);
    storage.removeItem(intentsKey);
  });
}

if (typeof window !== "undefined")
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === intentsKey && newValue === dropped) leadsBack = false;
  });

/** Without those that have ended: their tabs are closed, or forgotten. */
function readIntents(): Record<string, Intent> {
  const read = withStorage("localStorage", (storage) => {
    const stored = Object.entries<Intent>(JSON.parse(storage.getItem(intentsKey) ?? "{}"));
    return Object.fromEntries(stored.filter(([, { at }]) => isYounger(at, millisecondsMax)));
  });
  return read ?? {};
}

function writeIntents(intents: Record<string, Intent>) {
  withStorage("localStorage", (storage) =>
    Object.keys(intents).length > 0
      ? storage.setItem(intentsKey, JSON.stringify(intents))
      : storage.removeItem(intentsKey),
  );
}

/** A clock that was set back makes nothing older. */
function isYounger(at: number, milliseconds: number): boolean {
  return Math.abs(Date.now() - at) < milliseconds;
}

/** Session storage belongs to one tab. */
function knownTab(): string | null | undefined {
  return withStorage("sessionStorage", (storage) => storage.getItem(tabKey));
}

/**
 * Returns the address if it is below /admin/ on this site, or the account page. It is checked when it is read, which
 * prevents an open redirect through a changed value.
 */
function workAddress(address: unknown): string | undefined {
  const { origin } = window.location;
  if (typeof address !== "string" || !URL.canParse(address, origin)) return undefined;
  const { origin: target, pathname, search, hash } = new URL(address, origin);
  const isWork = pathname.startsWith("/admin/") || pathname === "/account";
  return target === origin && isWork ? pathname + search + hash : undefined;
}

function thisAddress(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}
