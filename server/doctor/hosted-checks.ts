import { randomUUID } from "node:crypto";
import { AuthClient } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { insufficientPrivilege } from "#server/database/sqlstate-http-status";
import { readAnswer } from "#server/http/read-answer";
import { broken, type Finding, findingsOf, listOf, look, ok, problemsOr } from "./finding.ts";

export interface HostedProject {
  url: string;
  key: string;
}

export interface Credentials {
  email: string;
  password: string;
}

interface Answer {
  data: unknown;
  error: { code?: string; message: string } | null;
  status: number;
}

const secondsMax = 10;

/**
 * Tries the access rules of a hosted project over HTTP, with the client of the site. Nothing is changed: every change is
 * filtered on a random id, which no row has.
 */
export async function checkHosted(project: HostedProject, credentials?: Credentials): Promise<Finding[]> {
  const client = dataClient(project);
  const reached = await client.from("contacts").select("id").limit(1);
  const unusable = problemOf(reached, project);
  if (unusable) return [unusable];

  const fine = ok("A stranger reads, changes and deletes nothing, and may call none of the inbox's functions.");
  const asStranger = problemsOr(fine, await tryCaller(client, "A stranger"));
  return credentials ? [...asStranger, ...(await tryUser(project, credentials))] : asStranger;
}

/** These two clients are parts of the site's client. */
function dataClient({ url, key }: HostedProject, token = key) {
  const headers = { apikey: key, authorization: `Bearer ${token}` };
  // A project that does not answer is told at once.
  return new PostgrestClient(`${url}/rest/v1`, { headers, fetch: fetchInTime, retry: false });
}

function authClient({ url, key }: HostedProject) {
  const inMemory = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  return new AuthClient({ url: `${url}/auth/v1`, headers: { apikey: key }, fetch: fetchInTime, ...inMemory });
}

const fetchInTime: typeof fetch = async (input, init) => {
  const answer = await fetch(input, { ...init, signal: AbortSignal.timeout(secondsMax * 1000) });
  return new Response((await readAnswer(answer.body)) || null, answer);
};

type Client = ReturnType<typeof dataClient>;

/** Why nothing at all can be tried. */
function problemOf({ error, status }: Answer, { url }: HostedProject): Finding | undefined {
  // A stranger who may not read contacts is as it should be.
  if (!error || error.code === insufficientPrivilege) return undefined;
  const project = `The project at ${url}`;
  if (status === 0)
    return broken(
      `${project} does not answer: ${error.message}.`,
      "See whether it is paused, and whether PUBLIC_SUPABASE_URL is its address.",
    );
  if (error.code === "PGRST205")
    return broken(
      `${project} has no table contacts.`,
      "npx supabase link and npx supabase db push apply the migrations (docs/operating.md).",
    );
  if (status === 401 || status === 403)
    return broken(
      `${project} refuses the key: ${error.message}.`,
      "Copy the publishable key from its API settings into PUBLIC_SUPABASE_ANON_KEY, and build again.",
    );
  if (status < 500 && status !== 404) return undefined;
  return broken(`${project} answers ${status}: ${error.message}.`, "See its status page and its logs.");
}

const tables = ["contacts", "user_roles", "contacts_per_week"] as const;
const inboxFunctions = ["search_contacts", "count_contacts", "inbox_news"] as const;

/** What is open to this caller that should be closed. */
async function tryCaller(client: Client, who: "A stranger" | "A user without a role"): Promise<Finding[]> {
  const id = randomUUID();
  const reads = tables.map((name) => client.from(name).select("*").limit(1));
  const calls = inboxFunctions.map((name) => client.rpc(name, name === "search_contacts" ? { _search: "" } : {}));
  const [updated, deleted, chosen, isAdmin, ...others] = (await Promise.all([
    client.from("contacts").update({ state: "archived" }).eq("id", id).select("id"),
    client.from("contacts").delete().eq("id", id).select("id"),
    // The name is missing, so the row could not be stored even if the right were there.
    client.from("contacts").insert({ id }),
    client.rpc("has_role", { _user_id: id, _role: "admin" }),
    ...reads,
    ...calls,
  ])) as [Answer, Answer, Answer, Answer, ...Answer[]];
  const isStranger = who === "A stranger";
  // A user has the right to change contacts, of which a policy shows none.
  const mayChange = (answer: Answer) => (isStranger ? !answer.error : hasRows(answer));
  const changes = [
    ...(mayChange(updated) ? ["update"] : []),
    ...(mayChange(deleted) ? ["delete"] : []),
    ...(chosen.error && isRefusal(chosen.error) ? [] : ["choose the id"]),
  ];
  const open = [
    ...((isStranger ? !isAdmin.error : isAdmin.data === true) ? ["has_role"] : []),
    ...inboxFunctions.filter((_, index) => !others[tables.length + index]?.error),
  ];
  return findingsOf(
    ...tables.map(
      (name, index) =>
        hasRows(others[index]) &&
        broken(
          `${who} reads rows of ${name}.`,
          `alter table public.${name} enable row level security; and see its row in docs/access.md.`,
        ),
    ),
    changes.length > 0 &&
      broken(
        `${who} has these rights on contacts: ${listOf(changes)}.`,
        "revoke all on public.contacts from anon; grant insert (name, company, email, interest) on public.contacts to anon;",
      ),
    open.length > 0 &&
      broken(`${who} may call ${listOf(open)}.`, "Their rows in docs/access.md say who may call them."),
  );
}

async function tryUser(project: HostedProject, { email, password }: Credentials): Promise<Finding[]> {
  const auth = authClient(project);
  const { data, error } = await auth.signInWithPassword({ email, password });
  if (error || !data.user) {
    const todo = "Give the address and password of an account without a role.";
    return [look(`The account cannot log in: ${error?.message ?? "no session"}.`, todo)];
  }
  const client = dataClient(project, data.session.access_token);
  try {
    const isAdmin = await client.rpc("has_role", { _user_id: data.user.id, _role: "admin" });
    if (isAdmin.data === true)
      return [
        look(
          "The account is an admin, who may read the contacts, so nothing was tried as a user.",
          "Give an account without a role. If it should have none: npm run admin -- revoke.",
        ),
      ];
    const fine = ok("A user without a role can neither read nor change contacts or roles.");
    return problemsOr(fine, await tryCaller(client, "A user without a role"));
  } finally {
    await auth.signOut({ scope: "local" });
  }
}

function hasRows(answer: Answer | undefined): boolean {
  return Array.isArray(answer?.data) && answer.data.length > 0;
}

function isRefusal({ code, message }: { code?: string; message: string }): boolean {
  return code === insufficientPrivilege || /permission denied|row-level security/.test(message);
}
