/** An address that a contact may have: one `@` and no white space. `supabase/migrations/` has the same rule in SQL. */
export function isContactEmail(address: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(address);
}

/**
 * The valid e-mail address of the HTML standard, which `<input type="email">` accepts. Accounts and recipients have
 * this form, and a mail header reads it as one address.
 */
export function isPlainEmail(address: string): boolean {
  return plainEmail.test(address);
}

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const plainEmail = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`, "i");

/** One recipient typed by an operator, non-ASCII letters included: no white space, and no separator of a list. */
export function isSingleRecipient(address: string): boolean {
  return /^[^@\s,;<>]+@[^@\s,;<>]+$/.test(address);
}
