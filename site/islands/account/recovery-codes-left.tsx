import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { secondFactorWords } from "#content/second-factor";
import { BusyButton } from "../../components/busy-button";
import { ConfirmDialog } from "../../components/confirm-dialog";
import { Notice } from "../../components/notice";
import { useNotice } from "../../hooks/use-form";
import { areFewCodes, makeRecoveryCodes } from "../../supabase/second-factor";
import { refusalOf } from "./refusal-of";
import styles from "./second-factor.module.css";

const text = secondFactorWords.codes;

/** How many recovery codes are left, and a way to ten new ones. It asks first if that ends old ones. */
export function RecoveryCodesLeft({ left, show }: { left: number; show: (codes: readonly string[]) => void }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState(false);
  const { mutate, data, isPending, submittedAt } = useMutation({
    throwOnError: true,
    mutationFn: async () => {
      const made = await makeRecoveryCodes();
      if (made.ok && made.value) show(made.value);
      // The session may have lost its level on another device.
      else queries.invalidateQueries();
      return made.ok ? "" : refusalOf(made, text.notMade);
    },
  });
  const notice = useNotice({ tone: "error", message: isPending ? "" : (data ?? "") }, submittedAt);

  return (
    <div className={styles.left} data-few={areFewCodes(left)}>
      <h3>{text.title}</h3>
      <p>{left > 0 ? text.left(left) : text.none}</p>
      <Notice {...notice} />
      <BusyButton
        variant="quiet"
        busy={isPending}
        busyLabel={text.making}
        onClick={() => (left > 0 ? setAsked(true) : mutate())}
      >
        {left > 0 ? text.makeNew : text.make}
      </BusyButton>
      {asked && (
        <ConfirmDialog
          title={text.confirm.title}
          cancel={text.confirm.cancel}
          confirm={text.confirm.confirm}
          onConfirm={() => mutate()}
          onClose={() => setAsked(false)}
        >
          <p>{text.confirm.text}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
