import { randomUUID } from "node:crypto";
import { insufficientPrivilege } from "#backend/database/sqlstate-http-status";
import { readAnswer } from "#process/read-answer";
import { broken, type Finding, ok, problemsOr } from "./finding.ts";

export interface HostedProject {
  url: string;
  key: string;
}

const secondsMax = 10;

/**
 * Tries the access rules of a hosted project over HTTP, as a stranger. Nothing is changed: every change is filtered on a
 * random id, which no row has.
 */
export async function checkHosted(project: HostedProject): Promise<Finding[]> {
  const contacts = await ask(project, "GET", "contacts?select=id&limit=1");
  if (contacts.status !== 200 && contacts.code !== insufficientPrivilege) return [unusable(project, contacts)];
  const one = `contacts?id=eq.${randomUUID()}`;
  const [roles, change, removal] = await Promise.all([
    ask(project, "GET", "user_roles?limit=1"),
    ask(project, "PATCH", one, { state: "archived" }),
    ask(project, "DELETE", one),
  ]);
  const problem = (isOpen: boolean, what: string) =>
    isOpen && broken(`A stranger ${what}.`, "Restore the rights and policies of supabase/migrations (docs/access.md).");
  return problemsOr(ok("A stranger neither reads nor changes contacts or roles."), [
    problem(contacts.hasRows, "reads contacts"),
    problem(roles.hasRows, "reads user_roles"),
    problem(change.status < 300, "may change contacts"),
    problem(removal.status < 300, "may delete contacts"),
  ]);
}

interface Answer {
  status: number;
  code?: string;
  message?: string;
  hasRows: boolean;
}

async function ask({ url, key }: HostedProject, method: string, path: string, body?: object): Promise<Answer> {
  try {
    const answer = await fetch(`${url}/rest/v1/${path}`, {
      method,
      headers: { apikey: key, authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(secondsMax * 1000),
    });
    const text = await readAnswer(answer.body);
    // What is in front of a project answers no JSON.
    const { code, message = answer.statusText, length = 0 } = await new Response(text).json().catch(() => ({}));
    return { status: answer.status, code, message, hasRows: answer.ok && length > 0 };
  } catch (error) {
    return { status: 599, message: String(error), hasRows: false };
  }
}

/** Why nothing at all can be tried. */
function unusable({ url }: HostedProject, { status, code, message = "" }: Answer): Finding {
  const saw = `The project at ${url} answers ${status === 599 ? "nothing" : status}: ${message.replace(/\.?$/, ".")}`;
  return broken(
    saw,
    code === "PGRST205"
      ? "npx supabase db push applies the migrations (docs/deploying.md#a-static-host-and-a-hosted-project)."
      : "See whether it is paused, and whether PUBLIC_SUPABASE_URL and PUBLIC_SUPABASE_ANON_KEY are its address and key.",
  );
}
