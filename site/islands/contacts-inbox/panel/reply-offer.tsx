import { useState } from "react";
import { replyWords as text } from "#content/replies";
import { Button } from "../../../components/button";
import { copyText } from "../../copy-text";
import type { Reply } from "./replies";

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
