import { linkWords, mailAgainWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { authMessages } from "#content/messages";
import { passwordFragment } from "../supabase/mailed-link";
import { sendConfirmationAgain, takeSession } from "../supabase/session";
import { type FlashMessageKind, takeFlashMessage } from "./flash-storage";

type Tone = "success" | "error";

document.body.append(find("#arrival-note", HTMLTemplateElement).content);
const note = find("#arrival", HTMLElement);
const words = find("#arrival [role=status]", HTMLElement);
const form = find("#arrival form", HTMLFormElement);
const login = find("#arrival a", HTMLAnchorElement);

document.addEventListener("arrival", (event) => tell((event as CustomEvent<URLSearchParams | undefined>).detail));

/** Says what came of a link (a session, or an error of the server's) or of what has just come to its end at the door. */
async function tell(link: URLSearchParams | undefined) {
  const accessToken = link?.get("access_token");
  if (link?.has("error")) refuse(link.get("error_code") ?? "");
  else if (accessToken) await welcome(accessToken, link?.get("refresh_token") ?? "", link?.get("type") ?? null);
  else {
    const left = takeFlashMessage();
    if (left) say("success", news[left]);
  }
}

const news: Record<FlashMessageKind, string> = {
  "logged-in": authMessages.loggedIn,
  confirmed: flashMessages.confirmed,
  "new-password": flashMessages.newPassword,
};

/** Shorter waits are over before a person could have read about them. */
const patienceMilliseconds = 300;

async function welcome(accessToken: string, refreshToken: string, type: string | null) {
  const late = setTimeout(() => say("success", linkWords.busy), patienceMilliseconds);
  const session = await takeSession(accessToken, refreshToken);
  clearTimeout(late);
  login.hidden = session.ok;
  if (!session.ok) return say("error", flashMessages.notTaken);
  if (type === "recovery" || type === "invite") return location.replace(`/auth${passwordFragment}`);
  say("success", type === "signup" ? flashMessages.confirmed : authMessages.loggedIn);
}

function refuse(code: string) {
  login.hidden = false;
  form.hidden = code !== "otp_expired";
  form.addEventListener("submit", askAgain);
  say("error", flashMessages.refusals[code] ?? flashMessages.refused);
}

async function askAgain(event: SubmitEvent) {
  event.preventDefault();
  const button = find("#arrival form button", HTMLButtonElement);
  button.disabled = true;
  button.textContent = mailAgainWords.sending;
  const answer = await sendConfirmationAgain(String(new FormData(form).get("account")));
  button.disabled = false;
  button.textContent = mailAgainWords.send;
  form.hidden = answer.ok;
  if (answer.ok) say("success", mailAgainWords.sent);
  else say("error", answer.message ?? mailAgainWords.notSent);
}

/** The note opens first: a screen reader announces only what changes in a region it can already see. */
function say(tone: Tone, message: string) {
  note.dataset.tone = tone;
  if (!note.matches(":popover-open")) note.showPopover();
  words.textContent = message;
  if (tone === "error") words.focus({ preventScroll: true });
}

function find<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`There is no ${selector} on this page.`);
  return element;
}
