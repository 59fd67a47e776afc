import { randomUUID } from "node:crypto";
import { AuthClient } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { insufficientPrivilege } from "#backend/database/sqlstate-http-status";
import { readAnswer } from "#backend/http/read-answer";
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
  // No retry: a project that does not answer is reported at once.
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
  // That a stranger may not read contacts is right.
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
      "npx supabase link and npx supabase db push apply the migrations (docs/deploying.md#a-static-host-and-a-hosted-project).",
    );
  if (status === 401 || status === 403)
    return broken(
      `${project} refuses the key: ${error.message}.`,
      "Copy the publishable key from its API settings into PUBLIC_SUPABASE_ANON_KEY, and build again.",
    );
  if (status < 500 && status !== 404) return undefined;
  return broken(`${project} answers ${status}: ${error.message}.`, "See its status page and its logs.");
}

type Kind = "read" | "change" | "call";
type Try = readonly [kind: Kind, name: string, request: PromiseLike<Answer>, isOpen: (answer: Answer) => boolean];

const isAllowed = ({ error }: Answer) => !error;
const isTrue = ({ data }: Answer) => data === true;
const hasRows = ({ data }: Answer) => Array.isArray(data) && data.length > 0;
const isRefused = ({ error }: Answer) =>
  error?.code === insufficientPrivilege || /permission denied|row-level security/.test(error?.message ?? "");

function triesOf(client: Client, isStranger: boolean): Try[] {
  const id = randomUUID();
  const contacts = () => client.from("contacts");
  // A user may run the change, but policies hide all rows; so only a changed row is a problem.
  const isChanged = isStranger ? isAllowed : hasRows;
  return [
    ["read", "contacts", contacts().select("id").limit(1), hasRows],
    ["read", "user_roles", client.from("user_roles").select("*").limit(1), hasRows],
    ["read", "contacts_per_week", client.from("contacts_per_week").select("*").limit(1), hasRows],
    ["change", "update", contacts().update({ state: "archived" }).eq("id", id).select("id"), isChanged],
    ["change", "delete", contacts().delete().eq("id", id).select("id"), isChanged],
    // The name is missing, so the row could not be stored even if the right were there.
    ["change", "choose the id", contacts().insert({ id }), (answer) => !isRefused(answer)],
    ["call", "has_role", client.rpc("has_role", { _user_id: id, _role: "admin" }), isStranger ? isAllowed : isTrue],
    ["call", "search_contacts", client.rpc("search_contacts", { _search: "" }).limit(1), isAllowed],
    ["call", "count_contacts", client.rpc("count_contacts"), isAllowed],
    ["call", "inbox_news", client.rpc("inbox_news"), isAllowed],
    ["call", "contact_sources", client.rpc("contact_sources"), isAllowed],
  ];
}

/** What is open to this caller that should be closed. */
async function tryCaller(client: Client, who: "A stranger" | "A user without a role"): Promise<Finding[]> {
  const tries = triesOf(client, who === "A stranger").map(async ([kind, name, request, isOpen]) =>
    isOpen(await request) ? [{ kind, name }] : [],
  );
  const found = (await Promise.all(tries)).flat();
  const open = (kind: Kind) => found.filter((each) => each.kind === kind).map(({ name }) => name);
  const [rights, functions] = [open("change"), open("call")];
  return findingsOf(
    ...open("read").map((name) =>
      broken(
        `${who} reads rows of ${name}.`,
        `alter table public.${name} enable row level security; and see its row in docs/access.md.`,
      ),
    ),
    rights.length > 0 &&
      broken(
        `${who} has these rights on contacts: ${listOf(rights)}.`,
        "revoke all on public.contacts from anon; grant insert (name, company, email, interest) on public.contacts to anon;",
      ),
    functions.length > 0 &&
      broken(`${who} may call ${listOf(functions)}.`, "Their rows in docs/access.md say who may call them."),
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
