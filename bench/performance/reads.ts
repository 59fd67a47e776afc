import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { defaultPublicKey } from "#server/settings";
import { closedLoop } from "../load/loops.ts";
import { jsonRequest } from "../load/requests.ts";
import { compare } from "./row.ts";
import { alternate, type Run } from "./run.ts";
import { startBenchSite } from "./site.ts";
import { connections, wrk } from "./wrk.ts";

const contacts = 20_000;
const list = "/rest/v1/contacts?select=*&order=submitted_at.desc,id.asc&offset=0&limit=50";

/** The same rows and the same count as JSON, without rights. */
const listInSql = `select json_agg(newest) as body, (select count(*) from contacts) as total
  from (select * from contacts order by submitted_at desc, id limit 50) newest`;

/** What does an admin's inbox cost above its SQL? */
export async function reads(run: Run) {
  const { url, connection } = await startBenchSite(run, { AUTH_AUTOCONFIRM: "on" });
  const owner = new pg.Pool({ ...connection, max: connections });
  owner.on("error", () => {});
  await fill(owner);
  const { token, id } = await signUpAdmin(url, owner);

  const headers = { apikey: defaultPublicKey, authorization: `Bearer ${token}` };
  const isAdmin = JSON.stringify({ _user_id: id, _role: "admin" });
  const script = join(run.folder, "has-role.lua");
  await writeFile(script, `wrk.method, wrk.body = "POST", [[${isAdmin}]]\n`);
  const listHeaders = { ...headers, prefer: "count=exact" };
  const rpcHeaders = { ...headers, "content-type": "application/json" };
  const figures = await alternate(run, {
    list: async (seconds) => (await wrk(run, { url: url + list, seconds, headers: listHeaders })).perSecond,
    "list in SQL": (seconds) => closedLoop(connections, seconds, () => owner.query(listInSql)),
    has_role: async (seconds) =>
      (await wrk(run, { url: `${url}/rest/v1/rpc/has_role`, seconds, headers: rpcHeaders, script: [script] }))
        .perSecond,
    "has_role in SQL": (seconds) =>
      closedLoop(connections, seconds, () => owner.query("select has_role($1, 'admin')", [id])),
  });
  await owner.end();
  const row = (question: string, ours: number[], figures: number[]) =>
    compare({ question, unit: "/s", ours, rival: { name: "its SQL through pg", figures } });
  return [
    row("inbox, newest 50 of 20,000", figures.list, figures["list in SQL"]),
    row("has_role", figures.has_role, figures["has_role in SQL"]),
  ];
}

/** Stores contacts of the past, without the rules for visitors. */
async function fill(owner: pg.Pool) {
  await owner.query("alter table public.contacts disable trigger user");
  await owner.query(
    `insert into public.contacts (name, company, email, interest, submitted_at)
     select 'Ada Heron', 'Heron and Daughters', 'visitor-' || n || '@bench.example', 'consulting', now() - n * interval '1 minute'
     from generate_series(1, $1::int) n`,
    [contacts],
  );
  await owner.query("alter table public.contacts enable trigger user");
  await owner.query("vacuum analyze public.contacts");
}

const adminAccount = { email: "admin@bench.example", password: "a long walk in the woods" };

/** An account with the role admin, and its access token. */
async function signUpAdmin(url: string, owner: pg.Pool): Promise<{ token: string; id: string }> {
  const answer = await fetch(`${url}/auth/v1/signup`, jsonRequest(adminAccount));
  const { access_token: token, user } = (await answer.json()) as { access_token: string; user: { id: string } };
  await owner.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [user.id]);
  return { token, id: user.id };
}
