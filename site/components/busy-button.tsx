import type { ComponentProps } from "react";
import { useDelayedPending } from "../hooks/use-delayed-pending";
import { Button } from "./button";

type BusyButtonProps = ComponentProps<typeof Button> & { href?: undefined; busy: boolean; busyLabel: string };

/**
 * A button that begins a request. While it is busy it has `aria-disabled`, because `disabled` would take the focus from
 * it.
 */
export function BusyButton({ busy, busyLabel, onClick, children, ...button }: BusyButtonProps) {
  const showBusy = useDelayedPending(busy);
  return (
    <Button {...button} aria-disabled={busy} onClick={busy ? undefined : onClick}>
      {showBusy ? busyLabel : children}
    </Button>
  );
}
