import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { secondFactorWords as text } from "#content/second-factor";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { type FormOutcome, useNotice } from "../../hooks/use-form";
import { goToSecondFactor } from "../../supabase/navigation-intents";
import { makeRecoveryCodes } from "../../supabase/second-factor";
import { FactorList } from "./factor-list";
import { FactorSetup } from "./factor-setup";
import { LoadErrorNotice } from "./load-error-notice";
import page from "./own-account.module.css";
import { type Account, account } from "./queries";
import { RecoveryCodes } from "./recovery-codes";
import { RecoveryCodesLeft } from "./recovery-codes-left";
import styles from "./second-factor.module.css";

const factorsMax = 10;
/** The fragment of the section's address: links of other pages and of the inbox lead to it. */
export const secondFactorId = "second-factor";

type View = { at: "list" } | { at: "setup" } | { at: "codes"; codes: readonly string[]; isFirst: boolean };

/** The second factors of this account and its recovery codes (docs/specification.md#own-account). */
export function SecondFactor({ email, isAdmin }: { email: string; isAdmin: boolean }) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(account);
  const [view, setView] = useState<View>({ at: "list" });
  const [wasRequired, setWasRequired] = useState(false);
  const { notice, say } = useOutcome();
  const title = useAddressedTitle();
  const beginning = useFocusAfterCancel();
  const factors = data?.factors ?? [];
  if (data?.step === "set_up" && !wasRequired) setWasRequired(true);

  function show(next: View) {
    say({ tone: "success", message: "" });
    setView(next);
  }

  function finish(outcome: FormOutcome) {
    setView({ at: "list" });
    say(outcome);
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
      <p className={`soft ${page.lead}`}>{text.lead}</p>
      {error && !data && <LoadErrorNotice error={error} retry={refetch} />}
      <Notice {...notice} />
      {data && view.at === "list" && (
        <Factors
          account={data}
          isAdmin={isAdmin}
          wasRequired={wasRequired}
          beginning={beginning.ref}
          show={show}
          finish={finish}
        />
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

interface FactorsProps {
  account: Account;
  isAdmin: boolean;
  /** Whether the site has asked this administrator for a second factor. */
  wasRequired: boolean;
  /** The button that begins a set-up. */
  beginning: (button: HTMLButtonElement | null) => void;
  show: (next: View) => void;
  finish: (outcome: FormOutcome) => void;
}

function Factors({ account, isAdmin, wasRequired, beginning, show, finish }: FactorsProps) {
  const { factors, codesLeft, step } = account;
  const hasNone = factors.length === 0;
  const mayChange = step !== "verify";
  return (
    <>
      {step === "set_up" && <p className={`marked ${page.remark}`}>{text.required}</p>}
      {step === "verify" && <VerifyFirst />}
      {wasRequired && step === "none" && (
        <Button href="/admin/contacts" variant="primary">
          {text.toInbox}
        </Button>
      )}
      <FactorList
        factors={factors}
        isAdmin={isAdmin}
        hasCodes={Boolean(codesLeft)}
        readOnly={!mayChange}
        done={finish}
      />
      {factors.length === 1 && codesLeft === null && <p className={`marked ${page.remark}`}>{text.second}</p>}
      {mayChange && factors.length >= factorsMax && <p className={`marked ${page.remark}`}>{text.most}</p>}
      {mayChange && factors.length < factorsMax && (
        <Button ref={beginning} variant={hasNone ? "primary" : "quiet"} onClick={() => show({ at: "setup" })}>
          {hasNone ? text.begin : text.addAnother}
        </Button>
      )}
      {mayChange && !hasNone && codesLeft !== null && (
        <RecoveryCodesLeft left={codesLeft} show={(codes) => show({ at: "codes", codes, isFirst: false })} />
      )}
    </>
  );
}

function VerifyFirst() {
  return (
    <div className={`marked pile ${page.remark}`}>
      <p>{text.verify.text}</p>
      <Button onClick={() => goToSecondFactor(`/account#${secondFactorId}`)}>{text.verify.button}</Button>
    </div>
  );
}

/** An outcome and its notice. The same text is said again, too. */
function useOutcome() {
  const [said, setSaid] = useState<FormOutcome & { time: number }>({ tone: "success", message: "", time: 0 });
  const say = (outcome: FormOutcome) => setSaid({ ...outcome, time: Date.now() });
  return { notice: useNotice(said, said.time), say };
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
