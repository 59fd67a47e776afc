import { randomUUID } from "node:crypto";
import { AuthClient } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { insufficientPrivilege } from "#backend/database/sqlstate-http-status";
import { readAnswer } from "#process/read-answer";
import { broken, type Finding, look, ok } from "./finding.ts";

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
  const unusable = problemOf(await client.from("contacts").select("id").limit(1), project);
  if (unusable) return [unusable];
  return [...(await tryCaller(client, "A stranger")), ...(credentials ? await tryUser(project, credentials) : [])];
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

/** Why nothing at all can be tried. That a stranger may not read contacts is right. */
function problemOf({ error, status }: Answer, { url }: HostedProject): Finding | undefined {
  if (!error || error.code === insufficientPrivilege) return undefined;
  const saw = `The project at ${url} answers ${status || "nothing"}: ${error.message.replace(/\.?$/, ".")}`;
  if (error.code === "PGRST205")
    return broken(
      saw,
      "npx supabase db push applies the migrations (docs/deploying.md#a-static-host-and-a-hosted-project).",
    );
  return broken(
    saw,
    "See whether it is paused, and whether PUBLIC_SUPABASE_URL and PUBLIC_SUPABASE_ANON_KEY are its address and key.",
  );
}

const hasRows = ({ data }: Answer) => Array.isArray(data) && data.length > 0;
const isRefused = ({ error }: Answer) =>
  error?.code === insufficientPrivilege || /permission denied|row-level security/.test(error?.message ?? "");

/** What is open to this caller that should be closed. */
async function tryCaller(
  client: ReturnType<typeof dataClient>,
  who: "A stranger" | "A user without a role",
): Promise<Finding[]> {
  const id = randomUUID();
  const contacts = () => client.from("contacts");
  // A user may run a change, but policies hide all rows; so only a changed row is a problem.
  const isChanged = (answer: Answer) => (who === "A stranger" ? !answer.error : hasRows(answer));
  const tries: readonly (readonly [what: string, request: PromiseLike<Answer>, isOpen: (answer: Answer) => boolean])[] =
    [
      ["reads contacts", contacts().select("id").limit(1), hasRows],
      ["reads user_roles", client.from("user_roles").select("*").limit(1), hasRows],
      ["may change contacts", contacts().update({ state: "archived" }).eq("id", id).select("id"), isChanged],
      ["may delete contacts", contacts().delete().eq("id", id).select("id"), isChanged],
      // The name is missing, so the row could not be stored even if the right were there.
      ["may choose the id of a contact", contacts().insert({ id }), (answer) => !isRefused(answer)],
      ["counts as an admin", client.rpc("has_role", { _user_id: id, _role: "admin" }), ({ data }) => data === true],
    ];
  const found = await Promise.all(
    tries.map(async ([what, request, isOpen]) =>
      isOpen(await request)
        ? [broken(`${who} ${what}.`, "Restore the rights and policies of supabase/migrations (docs/access.md).")]
        : [],
    ),
  );
  const problems = found.flat();
  return problems.length > 0 ? problems : [ok(`${who} neither reads nor changes contacts or roles.`)];
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
    return await tryCaller(client, "A user without a role");
  } finally {
    await auth.signOut({ scope: "local" });
  }
}
