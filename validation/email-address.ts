/**
 * Whether the HTML standard calls the address valid, so that `<input type="email">` accepts it, and it holds no `=?`, with
 * which an encoded word begins that a mail program may decode to another address (RFC 2047). Accounts and recipients have
 * such addresses, and a mail header reads each as one address.
 */
export function isPlainEmail(address: string): boolean {
  return plainEmail.test(address);
}

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const plainEmail = new RegExp(`^(?!.*=\\?)[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`, "i");

/** Whether an operator typed one recipient: no white space and no separator of a list. Any letters are allowed. */
export function isSingleRecipient(address: string): boolean {
  return /^[^@\s,;<>]+@[^@\s,;<>]+$/.test(address);
}
