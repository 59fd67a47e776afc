import { randomUUID } from "node:crypto";
import { AuthClient } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { readAnswer } from "#server/http/read-answer";
import { broken, type Finding, listOf, look, ok } from "./finding.ts";

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
 * Tries the door of a hosted project over HTTP, with the client of the site. Nothing is changed: every change is
 * filtered on a random id, which no row has.
 */
export async function checkHosted(project: HostedProject, credentials?: Credentials): Promise<Finding[]> {
  const client = dataClient(project);
  const reached = await client.from("contacts").select("id").limit(1);
  const unusable = problemOf(reached, project);
  if (unusable) return [unusable];

  const findings = await tryCaller(client, "a stranger");
  const asStranger =
    findings.length > 0
      ? findings
      : [ok("A stranger reads, changes and deletes nothing, and may call none of the inbox's functions.")];
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
  if (!error) return undefined;
  if (status === 0)
    return broken(
      `The project at ${url} does not answer: ${error.message}.`,
      "See whether it is paused, and whether PUBLIC_SUPABASE_URL is its address.",
    );
  if (error.code === "PGRST205")
    return broken(
      `The project at ${url} has no table contacts.`,
      "npx supabase link and npx supabase db push apply the migrations (docs/operating.md).",
    );
  if (error.code === "42501") return undefined;
  if (status === 401 || status === 403)
    return broken(
      `The project at ${url} refuses the key: ${error.message}.`,
      "Copy the publishable key from its API settings into PUBLIC_SUPABASE_ANON_KEY, and build again.",
    );
  return status >= 500 || status === 404
    ? broken(`The project at ${url} answers ${status}: ${error.message}.`, "See its status page and its logs.")
    : undefined;
}

/** What is open to this caller that should be closed. */
async function tryCaller(client: Client, who: string): Promise<Finding[]> {
  const id = randomUUID();
  const isUser = who !== "a stranger";
  const [contacts, roles, weeks, updated, deleted, chosen, ...calls] = await Promise.all([
    client.from("contacts").select("*").limit(1),
    client.from("user_roles").select("*").limit(1),
    client.from("contacts_per_week").select("*").limit(1),
    client.from("contacts").update({ state: "archived" }).eq("id", id).select("id"),
    client.from("contacts").delete().eq("id", id).select("id"),
    // The name is missing, so the row could not be stored even if the right were there.
    client.from("contacts").insert({ id }),
    client.rpc("has_role", { _user_id: id, _role: "admin" }),
    client.rpc("search_contacts", { _search: "" }).limit(1),
    client.rpc("count_contacts"),
    client.rpc("inbox_news"),
  ] as PromiseLike<Answer>[]);
  const reads = Object.entries({ contacts, user_roles: roles, contacts_per_week: weeks }).filter(([, answer]) =>
    hasRows(answer),
  );
  const names = ["has_role", "search_contacts", "count_contacts", "inbox_news"];
  const open = names.filter((name, index) => {
    const answer = calls[index];
    return name === "has_role" && isUser ? answer?.data === true : answer?.error === null;
  });
  const changes = [
    // A user has the right to change contacts, of which a policy shows none.
    ...(updated && !isUser && !updated.error ? ["update"] : hasRows(updated) ? ["update"] : []),
    ...(deleted && !isUser && !deleted.error ? ["delete"] : hasRows(deleted) ? ["delete"] : []),
    ...(chosen?.error && isRefusal(chosen.error) ? [] : ["choose the id"]),
  ];
  const Who = who.charAt(0).toUpperCase() + who.slice(1);
  return [
    ...reads.map(([name]) =>
      broken(
        `${Who} reads rows of ${name}.`,
        `alter table public.${name} enable row level security; and see its row in docs/access.md.`,
      ),
    ),
    ...(changes.length > 0
      ? [
          broken(
            `${Who} has these rights on contacts: ${listOf(changes)}.`,
            "revoke all on public.contacts from anon; grant insert (name, company, email, interest) on public.contacts to anon;",
          ),
        ]
      : []),
    ...(open.length > 0
      ? [broken(`${Who} may call ${listOf(open)}.`, "Their rows in docs/access.md say who may call them.")]
      : []),
  ];
}

async function tryUser(project: HostedProject, { email, password }: Credentials): Promise<Finding[]> {
  const auth = authClient(project);
  const { data, error } = await auth.signInWithPassword({ email, password });
  if (error || !data.user) {
    return [
      look(
        `The account cannot log in: ${error?.message ?? "no session"}.`,
        "Give the address and password of an account without a role.",
      ),
    ];
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
    const findings = await tryCaller(client, "a user without a role");
    return findings.length > 0
      ? findings
      : [ok("A user without a role can neither read nor change contacts or roles.")];
  } finally {
    await auth.signOut({ scope: "local" });
  }
}

function hasRows(answer: Answer | undefined): boolean {
  return Array.isArray(answer?.data) && answer.data.length > 0;
}

function isRefusal({ code, message }: { code?: string; message: string }): boolean {
  return code === "42501" || /permission denied|row-level security/.test(message);
}
