import { type ReplyWords, replies, replyWords } from "#content/replies";
import type { StoredContact } from "../../../supabase/read-contacts";
import { labelOfInterest, mailAddress } from "../contact-text";

export interface Reply {
  label: string;
  text: string;
  /** The `mailto:` link; without the text if the link would be too long with it. */
  href: string;
}

/** Chromium on Windows opens nothing beyond 2,048 characters, and older mail programs little less. */
const linkLengthMax = 2000;

/** What a reply to this contact can begin with: the template for its interest, and the short one. */
export function repliesTo({ name, company, email, interest }: StoredContact): Reply[] {
  const words: ReplyWords = { name, company: company || replyWords.noCompany, interest: labelOfInterest(interest) };
  const offered = [{ ...replies[interest], label: words.interest }, replies.general];
  return offered.map(({ label, subject, text: textFor }) => {
    const text = textFor(words);
    // RFC 6068 wants a line break of a body as CR LF.
    const whole = mailAddress(email, { subject, body: text.replaceAll("\n", "\r\n") });
    return { label, text, href: whole.length > linkLengthMax ? mailAddress(email, { subject }) : whole };
  });
}
