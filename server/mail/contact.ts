import type { Pool } from "pg";

export interface Contact {
  id: string;
  name: string;
  company: string;
  email: string;
  interest: string;
  submitted_at: Date;
}

/** Undefined once it is deleted, or filed as spam: then nobody is told of it any more. */
export async function findContact(owner: Pool, id: string): Promise<Contact | undefined> {
  const { rows } = await owner.query<Contact>(
    `select id, name, company, email, interest, submitted_at from public.contacts where id = $1 and spam_reason is null`,
    [id],
  );
  return rows[0];
}
