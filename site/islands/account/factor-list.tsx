import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { secondFactorWords } from "#content/second-factor";
import { BusyButton } from "../../components/busy-button";
import { ConfirmDialog } from "../../components/confirm-dialog";
import type { FormOutcome } from "../../hooks/use-form";
import { type Factor, removeFactor } from "../../supabase/second-factor";
import styles from "./own-account.module.css";
import { refusalOf } from "./refusal-of";

const { list: text, removal } = secondFactorWords;
const localTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

interface FactorListProps {
  factors: readonly Factor[];
  isAdmin: boolean;
  hasCodes: boolean;
  /** Shows no buttons. */
  readOnly: boolean;
  /** Reports how a removal ended. */
  done: (outcome: FormOutcome) => void;
}

export function FactorList({ factors, isAdmin, hasCodes, readOnly, done }: FactorListProps) {
  const [asked, setAsked] = useState<Factor>();
  const isLast = factors.length === 1;
  const queries = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    throwOnError: true,
    mutationFn: async ({ id, name }: Factor): Promise<FormOutcome> => {
      const removed = await removeFactor(id);
      const reloaded = queries.invalidateQueries();
      // A factor that is not found was removed on another device meanwhile.
      if (!removed.ok && removed.code !== "mfa_factor_not_found")
        return { tone: "error", message: refusalOf(removed, text.notRemoved) };
      await reloaded;
      return { tone: "success", message: isLast ? text.removedLast : text.removed(name) };
    },
  });

  return (
    <>
      <ul className={styles.list}>
        {factors.map((factor) => (
          <li key={factor.id}>
            <div>
              <p className="strong">{factor.name}</p>
              <p className="caption">
                {text.since} <time dateTime={factor.createdAt}>{localTime.format(new Date(factor.createdAt))}</time>
              </p>
            </div>
            {!readOnly && (
              <BusyButton
                variant="quiet"
                busy={isPending}
                busyLabel={variables?.id === factor.id ? text.removing : text.remove}
                aria-label={text.removeWhich(factor.name)}
                onClick={() => setAsked(factor)}
              >
                {text.remove}
              </BusyButton>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title={removal.title(asked.name)}
          cancel={removal.cancel}
          confirm={removal.confirm}
          // Not called after the list has gone, because a set-up may have begun.
          onConfirm={() => mutate(asked, { onSuccess: done })}
          onClose={() => setAsked(undefined)}
        >
          <p>{isLast ? removal.last : removal.text}</p>
          {isLast && hasCodes && <p>{removal.codesEnd}</p>}
          {isLast && isAdmin && <p>{removal.lastOfAdmin}</p>}
        </ConfirmDialog>
      )}
    </>
  );
}
