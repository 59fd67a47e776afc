import { useEffect, useState } from "react";
import { outcomeWords } from "#content/outcomes";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useNotice } from "../../hooks/use-form";
import { useSession } from "../../hooks/use-session";
import { areFewCodes } from "../../supabase/second-factor";
import { findUser, isAdmin } from "../../supabase/session";
import styles from "./auth-screen.module.css";
import { type StepProps, start } from "./step-types";

/** Says how a link, a confirmation or a new password has ended, and leads on. */
export function OutcomeStep({ step, go }: StepProps<"outcome">) {
  const { tone, message, account, codesLeft, back, address } = step;
  // A logout in another tab takes the way back with it.
  useSession({ onLost: () => account && go({ ...start }) });
  const notice = useNotice({ tone, message });
  const inbox = useInboxLink(tone === "success", back);
  return (
    <>
      <Notice {...notice} />
      {codesLeft !== undefined && (
        <p className={styles.lead}>
          {outcomeWords.recoveryCodes.left(codesLeft)}{" "}
          {areFewCodes(codesLeft) && (
            <a href={outcomeWords.recoveryCodes.link.href}>{outcomeWords.recoveryCodes.link.label}</a>
          )}
        </p>
      )}
      {tone === "success" && (
        // A live region, because the link may come a moment after the message.
        <div role="status" className="row">
          {inbox && <Button href={inbox.href}>{inbox.label}</Button>}
          <Button variant="quiet" href={address ?? outcomeWords.home.href}>
            {address ? outcomeWords.goOn : outcomeWords.home.label}
          </Button>
        </div>
      )}
    </>
  );
}

/** For administrators: the page that led to the login, else the inbox. */
function useInboxLink(isWanted: boolean, back: string | undefined) {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    if (isWanted) mayOffer(back).then(setOffered);
  }, [isWanted, back]);
  if (!isOffered) return undefined;
  return back ? { href: back, label: outcomeWords.back } : outcomeWords.inbox;
}

/** Without an answer the way back is offered too: that page says itself who may see it. */
async function mayOffer(back: string | undefined): Promise<boolean> {
  const user = await findUser();
  if (user.ok && !user.value) return false;
  const role = user.ok && user.value ? await isAdmin(user.value.id) : user;
  return role.ok ? Boolean(role.value) : Boolean(back && role.unanswered);
}
