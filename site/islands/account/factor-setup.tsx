import { useEffect, useRef, useState } from "react";
import { brand } from "#content/brand";
import { secondFactorWords } from "#content/second-factor";
import { BusyButton } from "../../components/busy-button";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { OneTimeCodeField, typedCode } from "../../components/one-time-code-field";
import { type FormOutcome, useForm } from "../../hooks/use-form";
import { type Enrollment, enrollFactor, verifyCode } from "../../supabase/second-factor";
import { copyText } from "../copy-text";
import { refusalOf } from "./refusal-of";
import styles from "./second-factor.module.css";

const { naming, adding } = secondFactorWords;

interface FactorSetupProps {
  /** The names of the account's factors. */
  taken: readonly string[];
  /** Called when the first code was right. */
  done: (name: string) => Promise<void>;
  /** Called when the session must first use a factor that was added on another device meanwhile. */
  refused: (message: string) => void;
  cancel: () => void;
}

/** Sets up an authenticator app: a name for it, then the picture that it scans, then its first code. */
export function FactorSetup({ taken, done, refused, cancel }: FactorSetupProps) {
  const [name, setName] = useState(() => suggestName(taken));
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const [expired, setExpired] = useState(false);

  if (enrollment)
    return (
      <CodeForm
        enrollment={enrollment}
        done={() => done(name)}
        expire={() => {
          setEnrollment(undefined);
          setExpired(true);
        }}
        cancel={cancel}
      />
    );
  return (
    <NameForm
      name={name}
      error={expired ? adding.expired : ""}
      enrolled={(chosen, begun) => {
        setName(chosen);
        setEnrollment(begun);
      }}
      refused={refused}
      cancel={cancel}
    />
  );
}

interface NameFormProps {
  name: string;
  error: string;
  enrolled: (name: string, enrollment: Enrollment) => void;
  refused: (message: string) => void;
  cancel: () => void;
}

function NameForm({ name, error, enrolled, refused, cancel }: NameFormProps) {
  const fields = useRef<HTMLFormElement>(null);
  const { notice, form, busy } = useForm(error, async (answers) => {
    const chosen = String(answers.get("factor-name")).trim();
    const begun = await enrollFactor(chosen, brand.name);
    if (begun.ok) enrolled(chosen, begun.value);
    else if (begun.code === "insufficient_aal") refused(refusalOf(begun));
    else return refusalOf(begun);
    return "";
  });
  useEffect(() => {
    if (!error) fields.current?.querySelector("input")?.select();
  }, [error]);

  return (
    <form ref={fields} className={styles.form} {...form}>
      <h3>{naming.title}</h3>
      <Notice {...notice} />
      <Field
        label={naming.label}
        hint={naming.hint}
        name="factor-name"
        defaultValue={name}
        autoComplete="off"
        maxLength={60}
        pattern=".*\S.*"
        required
      />
      <Buttons {...naming} isBusy={busy} onCancel={cancel} />
    </form>
  );
}

interface CodeFormProps {
  enrollment: Enrollment;
  done: () => Promise<void>;
  /** Called when the server has forgotten the set-up, after five minutes. */
  expire: () => void;
  cancel: () => void;
}

function CodeForm({ enrollment, done, expire, cancel }: CodeFormProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const { notice, form, busy } = useForm("", async (answers) => {
    const code = typedCode(answers);
    if (!/^\d{6}$/.test(code)) return adding.malformed;
    const verified = await verifyCode(enrollment.id, code);
    if (verified.ok) await done();
    else if (verified.code === "mfa_factor_not_found") expire();
    else return verified.code === "mfa_verification_failed" ? adding.wrong : refusalOf(verified);
    return "";
  });
  useEffect(() => title.current?.focus(), []);

  return (
    <form className={styles.form} {...form}>
      <h3 ref={title} tabIndex={-1}>
        {adding.title}
      </h3>
      <p>{adding.app}</p>
      <Secret {...enrollment} />
      <Notice {...notice} />
      <OneTimeCodeField label={adding.code} hint={adding.hint} />
      <Buttons {...adding} isBusy={busy} onCancel={cancel} />
    </form>
  );
}

/** What the app needs: as a picture for its camera, as a link on the same device, and as a text. */
function Secret({ qrCode, secret, uri }: Enrollment) {
  const [copied, setCopied] = useState<FormOutcome>({ tone: "success", message: "" });
  return (
    <div className={styles.app}>
      <figure>
        <figcaption>{adding.scan}</figcaption>
        <img src={qrCode} width="200" height="200" alt={adding.picture} />
      </figure>
      <div className={`pile ${styles.here}`}>
        <p>{adding.here}</p>
        <Button variant="quiet" href={uri}>
          {adding.open}
        </Button>
        <p>{adding.secret}</p>
        <code>{secret.match(/.{1,4}/g)?.join(" ")}</code>
        <Button variant="tool" onClick={async () => setCopied(await copyText(secret, adding))}>
          {adding.copy}
        </Button>
        <Notice tone={copied.tone}>{copied.message}</Notice>
      </div>
    </div>
  );
}

interface ButtonsProps {
  submit: string;
  busy: string;
  isBusy: boolean;
  onCancel: () => void;
}

function Buttons({ submit, busy, isBusy, onCancel }: ButtonsProps) {
  return (
    <div className="row">
      <BusyButton type="submit" busy={isBusy} busyLabel={busy}>
        {submit}
      </BusyButton>
      <Button variant="quiet" onClick={onCancel}>
        {naming.cancel}
      </Button>
    </div>
  );
}

/** "Phone", or "Phone 2" if there is one already. */
function suggestName(taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? naming.suggestion : `${naming.suggestion} ${number}`;
    if (!taken.includes(name)) return name;
  }
}
