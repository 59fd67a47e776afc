import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { secondFactorWords as text } from "#content/second-factor";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useFocusOn } from "../../hooks/use-focus-on";
import type { FormOutcome } from "../../hooks/use-form";
import { goToSecondFactor } from "../../supabase/return-address";
import { makeRecoveryCodes } from "../../supabase/second-factor";
import { FactorList } from "./factor-list";
import { FactorSetup } from "./factor-setup";
import { LoadErrorNotice } from "./load-error-notice";
import { account } from "./queries";
import { RecoveryCodes } from "./recovery-codes";
import { RecoveryCodesLeft } from "./recovery-codes-left";
import styles from "./second-factor.module.css";

const factorsMax = 10;
/** The fragment of the section's address: links of other pages and of the inbox lead to it. */
export const secondFactorId = "second-factor";

type View = { at: "list" } | { at: "setup" } | { at: "codes"; codes: readonly string[]; isFirst: boolean };

interface Said extends FormOutcome {
  /** Makes each message a new one, also if its text is the same as before. */
  time: number;
}

/** The second factors of this account and its recovery codes (docs/specification.md#own-account). */
export function SecondFactor({ email, isAdmin }: { email: string; isAdmin: boolean }) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(account);
  const [view, setView] = useState<View>({ at: "list" });
  const [said, setSaid] = useState<Said>({ tone: "success", message: "", time: 0 });
  const [wasRequired, setWasRequired] = useState(false);
  const notice = useRef<HTMLParagraphElement>(null);
  const title = useAddressedTitle();
  const beginning = useFocusAfterCancel();
  if (data?.step === "set_up" && !wasRequired) setWasRequired(true);

  const message = view.at === "list" ? said.message : "";
  useFocusOn(notice, message, said.time);

  const factors = data?.factors ?? [];

  function finish(outcome: FormOutcome) {
    setView({ at: "list" });
    setSaid({ ...outcome, time: Date.now() });
  }

  function show(next: View) {
    setSaid({ tone: "success", message: "", time: 0 });
    setView(next);
  }

  /** Shows the list anew, because it has changed on another device. */
  async function refuse(message: string) {
    await queries.invalidateQueries();
    finish({ tone: "error", message });
  }

  function cancel() {
    beginning.focusNext();
    show({ at: "list" });
  }

  /** Ends the set-up of a device. The first one brings the recovery codes, unless the project has none. */
  async function setUp(name: string) {
    const isFirst = factors.length === 0;
    const made = isFirst ? await makeRecoveryCodes() : undefined;
    // All other sessions may have ended, and the log has new entries.
    const reloaded = queries.invalidateQueries();
    if (made?.ok && made.value) return show({ at: "codes", codes: made.value, isFirst });
    await reloaded;
    finish({ tone: "success", message: isFirst ? text.addedFirst : text.added(name) });
  }

  return (
    <section id={secondFactorId} className={styles.section}>
      <h2 ref={title} tabIndex={-1}>
        {text.title}
      </h2>
      <p className={styles.lead}>{text.lead}</p>
      {error && !data && <LoadErrorNotice error={error} retry={refetch} />}
      <Notice tone={said.tone} ref={notice} tabIndex={-1}>
        {message}
      </Notice>
      {data && view.at === "list" && (
        <>
          {data.step === "set_up" && <p className={styles.remark}>{text.required}</p>}
          {data.step === "verify" && <VerifyFirst />}
          {wasRequired && data.step === "none" && (
            <Button href="/admin/contacts" variant="primary">
              {text.toInbox}
            </Button>
          )}
          <FactorList
            factors={factors}
            isAdmin={isAdmin}
            hasCodes={Boolean(data.codesLeft)}
            readOnly={data.step === "verify"}
            done={finish}
          />
          {factors.length === 1 && data.codesLeft === null && <p className={styles.remark}>{text.second}</p>}
          {data.step !== "verify" &&
            (factors.length < factorsMax ? (
              <Button
                ref={beginning.ref}
                variant={factors.length === 0 ? "primary" : "quiet"}
                onClick={() => show({ at: "setup" })}
              >
                {factors.length === 0 ? text.begin : text.addAnother}
              </Button>
            ) : (
              <p className={styles.remark}>{text.most}</p>
            ))}
          {factors.length > 0 && data.codesLeft !== null && data.step !== "verify" && (
            <RecoveryCodesLeft left={data.codesLeft} show={(codes) => show({ at: "codes", codes, isFirst: false })} />
          )}
        </>
      )}
      {view.at === "setup" && (
        <FactorSetup taken={factors.map(({ name }) => name)} done={setUp} refused={refuse} cancel={cancel} />
      )}
      {view.at === "codes" && (
        <RecoveryCodes
          codes={view.codes}
          isFirst={view.isFirst}
          email={email}
          done={() => finish({ tone: "success", message: view.isFirst ? text.codes.kept : text.codes.renewed })}
        />
      )}
    </section>
  );
}

function VerifyFirst() {
  return (
    <div className={styles.remark}>
      <p>{text.verify.text}</p>
      <Button onClick={() => goToSecondFactor(`/account#${secondFactorId}`)}>{text.verify.button}</Button>
    </div>
  );
}

/** Brings a person who comes with the section's address to it: the browser looks before the page has loaded. */
function useAddressedTitle() {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (window.location.hash === `#${secondFactorId}`) title.current?.focus();
  }, []);
  return title;
}

/** Gives the focus back to the button that began what was cancelled. */
function useFocusAfterCancel() {
  const cancelled = useRef(false);
  return {
    focusNext: () => {
      cancelled.current = true;
    },
    ref: (button: HTMLButtonElement | null) => {
      if (button && cancelled.current) button.focus();
      cancelled.current = false;
    },
  };
}
