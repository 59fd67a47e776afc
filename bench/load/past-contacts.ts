interface Database {
  query(sql: string): Promise<unknown>;
}

/** Stores contacts of the past. No trigger runs, so they are neither limited nor announced. */
export async function storePastContacts(database: Database, { name, count }: { name: string; count: number }) {
  await database.query("alter table public.contacts disable trigger user");
  await database.query(
    `insert into public.contacts (name, company, email, interest, submitted_at)
     select 'Ada Heron', 'Heron and Daughters', '${name}-' || n || '@bench.example', 'consulting', now() - n * interval '1 minute'
     from generate_series(0, ${count - 1}) n`,
  );
  await database.query("alter table public.contacts enable trigger user");
  await database.query("vacuum analyze public.contacts");
}
