import type { Session } from "@supabase/supabase-js";
import { linkWords, mailAgainWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { authMessages } from "#content/messages";
import { pageProblems } from "#content/page-problems";
import { passwordFragment, secondFactorFragment } from "../supabase/mailed-link";
import type { Result } from "../supabase/result";
import { takeReturnAddress } from "../supabase/return-address";
import { areFewCodes, secondFactorOf } from "../supabase/second-factor";
import { findUser, findUserOfLink, isAdmin, lacksPassword, resendConfirmation, setSession } from "../supabase/session";
import { type FlashMessageKind, takeFlashMessage } from "./flash-storage";

const flashMessage = find("#flash-message", HTMLElement);
const text = find("#flash-message [role=status]", HTMLElement);
const form = find("#flash-message form", HTMLFormElement);
const login = find("#flash-message [data-login]", HTMLAnchorElement);
const inbox = find("#flash-message [data-inbox]", HTMLAnchorElement);
const next = find("#flash-message [data-next]", HTMLButtonElement);

const storedMessages: Record<FlashMessageKind, string> = {
  "logged-in": authMessages.loggedIn,
  confirmed: flashMessages.confirmed,
  "new-password": flashMessages.newPassword,
  "email-changed": flashMessages.emailChanged,
};

flashMessage.addEventListener("beforetoggle", ({ newState }) => newState === "closed" && forgetLink());
await handle(new URLSearchParams(window.history.state?.link?.slice(1)));

/** The tokens of a link are in the history entry until they are used or declined, so that a reload tries again. */
function forgetLink() {
  window.history.replaceState(null, "");
}

/** Shows the outcome of a mailed link to the API (a session or an error), or else the stored message. */
async function handle(link: URLSearchParams) {
  const accessToken = link.get("access_token");
  if (accessToken) return logIn(accessToken, link.get("refresh_token") ?? "", link.get("type"));
  forgetLink();
  if (link.has("error")) showLinkError(link.get("error_code") ?? "");
  else if (link.has("message")) show("success", linkWords.emailChange.other);
  else {
    const stored = takeFlashMessage();
    if (!stored) return;
    welcome(storedMessages[stored.kind]);
    if (stored.recoveryCodesLeft !== undefined) showRecoveryCodesLeft(stored.recoveryCodesLeft);
  }
}

/** A shorter wait is not reported, because the message would disappear before anyone could read it. */
const delayMilliseconds = 300;

/** Takes the session of a link. Unless its user is logged in, asks first. */
async function logIn(accessToken: string, refreshToken: string, type: string | null) {
  const timer = setTimeout(() => show("success", linkWords.busy), delayMilliseconds);
  const finish = (session: Result<Session | null>) => {
    clearTimeout(timer);
    showOutcome(session, type);
  };
  const takeSession = async () => finish(await setSession(accessToken, refreshToken));
  const users = await findUserOfLink(accessToken);
  if (!users.ok) return finish(users);
  if (!users.value) return takeSession();

  clearTimeout(timer);
  const label = users.value.present ? flashMessages.change : flashMessages.logIn;
  show("question", flashMessages.otherAccount(users.value), label, () => {
    show("success", linkWords.busy);
    takeSession();
  });
}

function showOutcome(session: Result<Session | null>, type: string | null) {
  if (!session.ok && session.unanswered)
    return show("error", flashMessages.unanswered, flashMessages.reload, () => window.location.reload());
  forgetLink();
  login.hidden = session.ok;
  if (!session.ok)
    return show("error", session.code === "not_stored" ? pageProblems.notStored : flashMessages.notTaken);
  const choosesPassword = type === "recovery" || type === "invite" || lacksPassword(session.value);
  const kind = type === "signup" ? "confirmed" : type === "email_change" ? "email-changed" : "logged-in";
  if (secondFactorOf(session.value) === "verify")
    return location.replace(`/auth${secondFactorFragment(choosesPassword ? "new-password" : kind)}`);
  if (choosesPassword) return location.replace(`/auth${passwordFragment}`);
  welcome(storedMessages[kind]);
}

function welcome(message: string) {
  show("success", message);
  offerInbox(takeReturnAddress("any tab"));
}

function showRecoveryCodesLeft(left: number) {
  const line = find("#flash-message [data-codes]", HTMLElement);
  find("#flash-message [data-codes] a", HTMLAnchorElement).hidden = !areFewCodes(left);
  line.hidden = false;
  find("#flash-message [data-codes] span", HTMLElement).textContent = flashMessages.recoveryCodes.left(left);
}

/** Leads administrators back to the page that sent them to the login, else to the inbox. */
async function offerInbox(address: string | undefined) {
  const user = await findUser();
  const role = user.ok && user.value ? await isAdmin(user.value.id) : user;
  // Without an answer the way back is offered too: that page says itself who may see it.
  if (role.ok ? !role.value : !(address && role.unanswered)) return;
  if (address) {
    inbox.href = address;
    inbox.textContent = flashMessages.back;
  }
  inbox.hidden = false;
  // A person who has not begun to use the page goes on with one key. Others keep their place.
  if (document.activeElement === document.body) inbox.focus({ preventScroll: true });
}

function showLinkError(code: string) {
  login.hidden = false;
  form.hidden = code !== "otp_expired";
  form.addEventListener("submit", resend);
  show("error", flashMessages.refusals[code] ?? flashMessages.refused);
}

async function resend(event: SubmitEvent) {
  event.preventDefault();
  const button = find("#flash-message form button", HTMLButtonElement);
  button.disabled = true;
  button.textContent = mailAgainWords.sending;
  const result = await resendConfirmation(String(new FormData(form).get("account")));
  button.disabled = false;
  button.textContent = mailAgainWords.send;
  form.hidden = result.ok;
  if (result.ok) show("success", mailAgainWords.sent);
  else show("error", result.message ?? mailAgainWords.notSent);
}

/** Opens the popover before it sets the text: a screen reader announces only changes inside a visible region. */
function show(tone: "success" | "question" | "error", message: string, label = "", act = () => {}) {
  next.hidden = !label;
  next.textContent = label;
  next.onclick = act;
  flashMessage.dataset.tone = tone;
  if ("popover" in flashMessage && !flashMessage.matches(":popover-open")) flashMessage.showPopover();
  text.textContent = message;
  if (tone !== "success") text.focus({ preventScroll: true });
}

function find<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`There is no ${selector} on this page.`);
  return element;
}
