import { request } from "./request";
import { dataFailure, type Result, unanswered } from "./result";

/** How many contacts with one interest came in one week, without spam. */
export interface WeekCount {
  /** The date of the week's Monday, such as "2025-11-17". */
  week: string;
  interest: string;
  contacts: number;
}

/** Counts the contacts of the last 26 weeks, the oldest week first. Each week has a row for each interest. */
export async function countByWeek(): Promise<Result<WeekCount[]>> {
  const reply = await request((client) =>
    client.from("contacts_per_week").select("week, interest, contacts").order("week"),
  );
  if (!reply) return unanswered;
  return reply.error ? dataFailure(reply) : { ok: true, value: reply.data };
}
