import { useEffect, useEffectEvent, useState } from "react";
import { linkWords } from "#content/auth";
import { outcomeWords } from "#content/outcomes";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useNotice } from "../../hooks/use-form";
import { checkSessionLink, takeSession, type UnusedLink } from "./session-link";
import { useStepForm } from "./step-form";
import type { StepProps } from "./step-types";

/**
 * Takes the session that a link of the API has brought. Unless its user is logged in, asks first: a stranger may have
 * written the link. Its tokens stay in the history entry until they are used or declined, so that a reload tries again.
 */
export function SessionLinkStep({ step, redirecting, go }: StepProps<"session-link">) {
  const [checked, setChecked] = useState<UnusedLink>();
  const begin = useEffectEvent(async () => {
    const result = await checkSessionLink(step);
    if ("next" in result) go(result.next);
    else setChecked(result);
  });
  useEffect(() => {
    begin();
  }, []);

  const { outcome, busy: taking, form } = useStepForm(() => takeSession(step), { go, redirecting });
  const busy = !checked || taking;
  const isSlow = useDelayedPending(busy);
  const error = outcome || (checked?.error ?? "");
  const question = checked?.users ? outcomeWords.otherAccount(checked.users) : "";
  const notice = useNotice({ tone: error ? "error" : "success", message: busy ? "" : error || question });

  return (
    <>
      <Notice tone="success">{isSlow ? linkWords.busy : ""}</Notice>
      <Notice {...notice} />
      {busy ? undefined : error ? (
        <Button onClick={() => window.location.reload()}>{outcomeWords.reload}</Button>
      ) : (
        <form className="row" {...form}>
          <Button type="submit">{checked.users?.present ? outcomeWords.change : outcomeWords.logIn}</Button>
          <Button variant="quiet" onClick={() => go({ at: "end", address: "/" })}>
            {outcomeWords.decline}
          </Button>
        </form>
      )}
    </>
  );
}
