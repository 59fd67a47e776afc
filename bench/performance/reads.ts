import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { defaultPublicKey } from "#server/settings";
import { createAccount } from "../load/create-account.ts";
import { storePastContacts } from "../load/past-contacts.ts";
import { signIn } from "../load/requests.ts";
import { compareSides, type Run, type Side, startBenchSite } from "./comparison.ts";
import { connections, wrk } from "./programs.ts";

const contacts = 20_000;
const list = "/rest/v1/contacts?select=*&order=submitted_at.desc,id.asc&offset=0&limit=50";

/** The same rows and the same count as JSON, without rights. */
const listInSql = `select json_agg(newest) as body, (select count(*) from contacts) as total
  from (select * from contacts order by submitted_at desc, id limit 50) newest`;
const account = { email: "admin@bench.example", password: "a long walk in the woods" };

/** What does an admin's inbox cost above its SQL? */
export async function reads(run: Run) {
  const { url, connection, dataDir } = await startBenchSite(run);
  const owner = new pg.Pool({ ...connection, max: connections });
  owner.on("error", () => {});
  await storePastContacts(owner, { name: "visitor", count: contacts });
  await createAccount(dataDir, { ...account, isAdmin: true });
  const { access_token, user } = await signIn(url, account);

  const script = join(run.folder, "has-role.lua");
  const isAdmin = JSON.stringify({ _user_id: user.id, _role: "admin" });
  await writeFile(script, `wrk.method, wrk.body = "POST", [[${isAdmin}]]\n`);
  const common = { apikey: defaultPublicKey, authorization: `Bearer ${access_token}` };
  const load = (path: string, headers: Record<string, string>, script?: string[]) => (seconds: number) =>
    wrk(run, { url: url + path, seconds, headers: { ...common, ...headers }, script });
  const inSql = (sql: string, values?: unknown[]) => (seconds: number) =>
    repeat(seconds, () => owner.query(sql, values));
  const compare = (question: string, ours: Side, theirs: Side) => {
    const rival = "its SQL through pg";
    return compareSides(run, { [question]: ours, [rival]: theirs }, [{ question, rival }]);
  };
  const rows = [
    ...(await compare("inbox, newest 50 of 20,000", load(list, { prefer: "count=exact" }), inSql(listInSql))),
    ...(await compare(
      "has_role",
      load("/rest/v1/rpc/has_role", { "content-type": "application/json" }, [script]),
      inSql("select has_role($1, 'admin')", [user.id]),
    )),
  ];
  await owner.end();
  return rows;
}

/** Repeats `work` on all connections, and resolves with how often it was done each second. */
async function repeat(seconds: number, work: () => Promise<unknown>) {
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let done = 0;
  const connection = async () => {
    for (; performance.now() < end; done++) await work();
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { perSecond: (1000 * done) / (performance.now() - begin) };
}
