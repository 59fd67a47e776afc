import { mailAgainWords } from "#content/auth";
import { BusyButton } from "../../components/busy-button";
import { Notice } from "../../components/notice";
import { requestMail } from "./next-step";
import { useStepForm } from "./step-form";
import type { Next } from "./step-types";

interface ResendMailProps {
  about: "signup" | "recovery";
  email: string;
  go: (next: Next) => void;
}

/** Sends a mail again to the address that was just typed; the next step asks for the code in the mail. */
export function ResendMail({ about, email, go }: ResendMailProps) {
  const { notice, form, busy } = useStepForm(() => requestMail(about, email), { go });
  return (
    <form className="pile" {...form}>
      <Notice {...notice} />
      <BusyButton type="submit" variant="quiet" busy={busy} busyLabel={mailAgainWords.sending}>
        {mailAgainWords.send}
      </BusyButton>
      <p className="small soft">{mailAgainWords.wait}</p>
    </form>
  );
}
