import { useState } from "react";
import { type ReplyWords, replies, replyWords as text } from "#content/replies";
import { Button } from "../../../components/button";
import type { StoredContact } from "../../../supabase/read-contacts";
import { copyText } from "../../copy-text";
import { labelOfInterest, mailAddress } from "../data/contact-text";

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
  const words: ReplyWords = { name, company: company || text.noCompany, interest: labelOfInterest(interest) };
  const offered = [{ ...replies[interest], label: words.interest }, replies.general];
  return offered.map(({ label, subject, text: textFor }) => {
    const body = textFor(words);
    // RFC 6068 wants a line break of a body as CR LF.
    const whole = mailAddress(email, { subject, body: body.replaceAll("\n", "\r\n") });
    return { label, text: body, href: whole.length > linkLengthMax ? mailAddress(email, { subject }) : whole };
  });
}

interface ReplyOfferProps {
  /** The reply that the mail program was asked to open. */
  reply: Reply;
  /** Undefined if the contact does not wait for an answer. */
  onHandled: (() => void) | undefined;
  onClose: () => void;
}

/** What comes after a reply. A browser does not tell whether a mail program has answered, so the text can be copied. */
export function ReplyOffer({ reply, onHandled, onClose }: ReplyOfferProps) {
  const [outcome, setOutcome] = useState("");

  return (
    <>
      <p>{outcome || text.opened(reply.label)}</p>
      <div>
        {onHandled && (
          <Button
            variant="tool"
            onClick={() => {
              onClose();
              onHandled();
            }}
          >
            {text.handled}
          </Button>
        )}
        <Button variant="tool" onClick={async () => setOutcome((await copyText(reply.text, text)).message)}>
          {text.copy}
        </Button>
      </div>
      <Button variant="plain" onClick={onClose}>
        {text.dismiss}
      </Button>
    </>
  );
}
