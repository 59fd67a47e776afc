import type { TestProject } from "vitest/node";
import startPostgres from "./postgres-for-all.ts";
import buildSite from "./site-for-all.ts";

/** PostgreSQL and the built site, made at the same time: each alone would leave a processor idle. */
export default async function setup(project: TestProject) {
  const [postgres, site] = await Promise.allSettled([startPostgres(project), buildSite()]);
  if (postgres.status === "rejected") throw postgres.reason;
  if (site.status === "fulfilled") return postgres.value;
  await postgres.value();
  throw site.reason;
}
