import { useEffect, useRef, useState } from "react";
import { secondFactorWords } from "#content/second-factor";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import type { FormOutcome } from "../../hooks/use-form";
import { copyText } from "../copy-text";
import { saveFile } from "../save-file";
import styles from "./second-factor.module.css";

const text = secondFactorWords.codes.shown;

interface RecoveryCodesProps {
  codes: readonly string[];
  /** Whether they come with the set-up of the second factor. */
  isFirst: boolean;
  email: string;
  done: () => void;
}

/** Shows new recovery codes, which cannot be shown again. */
export function RecoveryCodes({ codes, isFirst, email, done }: RecoveryCodesProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const [outcome, setOutcome] = useState<FormOutcome>({ tone: "success", message: "" });
  useEffect(() => title.current?.focus(), []);
  const heading = text.heading(email, window.location.host);

  async function copy() {
    setOutcome(await copyText(codes.join("\n"), { ...secondFactorWords.adding, copied: text.copied }));
  }
  function save() {
    saveFile(new Blob([`${heading}\n\n${codes.join("\n")}\n`], { type: "text/plain" }), text.file);
  }

  return (
    <div className={styles.codes}>
      <h3 ref={title} tabIndex={-1}>
        {text.title}
      </h3>
      <p>{isFirst ? `${text.first} ${text.text}` : text.text}</p>
      <p className={styles.heading}>{heading}</p>
      <ol>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="row">
        <Button variant="tool" onClick={copy}>
          {text.copy}
        </Button>
        <Button variant="tool" onClick={save}>
          {text.save}
        </Button>
        <Button variant="tool" onClick={() => window.print()}>
          {text.print}
        </Button>
      </div>
      <Notice tone={outcome.tone}>{outcome.message}</Notice>
      <Button onClick={done}>{text.done}</Button>
    </div>
  );
}
