import { withStorage } from "./browser-storage";
import { pendingSignOut, readTokens, type Scope, signOut } from "./sign-out";

/**
 * Where a login leads: the page of the work tool that sent a tab to it (docs/specification.md#way-back-after-a-login).
 * Each intent has a key of its own in local storage: a logout in any tab removes them all, and a mailed link, which opens
 * another tab, finds the newest. The session storage of the tab has the key of its intent; a duplicated tab has it too,
 * so an intent stays when it is taken, and the key leaves the tab instead.
 */
interface Intent {
  address: string;
  /** The account that was logged in; undefined if none was. Another account is not led there. */
  account?: string | undefined;
  /** When it was stored, in milliseconds since 1970. */
  at: number;
  /** A login has led there. A mailed link leads another tab there once. */
  isTaken?: boolean;
}

const keyStart = "navigation-intent-";
const ownKey = "navigation-intent";
/** A logout writes this key and removes it again, which tells the other tabs. */
const droppedKey = "navigation-intents-dropped";
/** The landing page says in this tab that the login has succeeded (site/sections/LoggedIn.astro). */
export const loggedInKey = "logged-in";
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
 * Returns the page that led this tab to the login. With "any tab" the newest one of all tabs counts too, for a day. Each
 * call returns the same until this page leaves: a stored session can be reported more than once.
 */
export function takeIntent(from: "this tab" | "any tab"): string | undefined {
  const own = readOwnKey();
  const present = readTokens()?.user?.id;
  const fitting = readIntents().filter(({ account }) => !account || account === present);
  const newest = fitting.sort((one, other) => other.at - one.at)[0];
  const isOffered = from === "any tab" && newest && !newest.isTaken && isYounger(newest.at, dayMilliseconds);
  const taken = fitting.find(({ key }) => key === own) ?? (isOffered ? newest : undefined);
  addEventListener("pagehide", forgetOwn, { once: true });
  if (!taken) return undefined;
  const { key, ...intent } = taken;
  storeOwn(key, { ...intent, isTaken: true });
  return workAddress(intent.address);
}

/** The landing page, which says once that the login has succeeded. */
export function landingAfterLogin(): string {
  withStorage("sessionStorage", (storage) => storage.setItem(loggedInKey, ""));
  return "/";
}

/** A tab that was sent to the login before, and opens a page again, still belongs to the account of then. */
function keepIntent(address: string) {
  const before = readIntents().find(({ key }) => key === readOwnKey());
  const key = keyStart + Math.random().toString(36).slice(2);
  storeOwn(key, { address, account: account ?? before?.account, at: Date.now() });
}

const readOwnKey = () => withStorage("sessionStorage", (storage) => storage.getItem(ownKey));

function storeOwn(key: string, intent: Intent) {
  withStorage("sessionStorage", (storage) => storage.setItem(ownKey, key));
  withStorage("localStorage", (storage) => storage.setItem(key, JSON.stringify(intent)));
}

function forgetOwn() {
  withStorage("sessionStorage", (storage) => storage.removeItem(ownKey));
}

/** A logout calls this first, so that the other tabs hear of it before they hear that the session is gone. */
function dropIntents() {
  leadsBack = false;
  withStorage("localStorage", (storage) => {
    storage.setItem(droppedKey, "");
    storage.removeItem(droppedKey);
    for (const key of intentKeys(storage)) storage.removeItem(key);
  });
}

if (typeof window !== "undefined")
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === droppedKey && newValue !== null) leadsBack = false;
  });

/** Removes those that have ended: their tabs are closed, or forgotten. */
function readIntents(): (Intent & { key: string })[] {
  const read = withStorage("localStorage", (storage) =>
    intentKeys(storage).flatMap((key) => {
      const intent: Intent = JSON.parse(storage.getItem(key) ?? "{}");
      if (isYounger(intent.at, millisecondsMax)) return [{ ...intent, key }];
      storage.removeItem(key);
      return [];
    }),
  );
  return read ?? [];
}

function intentKeys(storage: Storage): string[] {
  return Object.keys(storage).filter((key) => key.startsWith(keyStart));
}

/** A clock that was set back makes nothing older. */
function isYounger(at: number, milliseconds: number): boolean {
  return Math.abs(Date.now() - at) < milliseconds;
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
