import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  type ToggleEvent,
  useId,
  useRef,
  useState,
} from "react";
import { inboxMessages } from "#content/messages";
import { useDelayedPending } from "../hooks/use-delayed-pending";
import { Button } from "./button";
import styles from "./popover.module.css";

interface PopoverProps extends Pick<ComponentProps<typeof Button>, "variant" | "aria-label" | "id"> {
  /** What the button shows. */
  button: ReactNode;
  /** Names what opens, for assistive technology. */
  label: string;
  children: ReactNode;
}

/** A button, and what it opens below itself; on a phone, at the lower edge. Escape or a press elsewhere closes it. */
export function Popover({ button, label, children, variant = "tool", ...props }: PopoverProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  // What has been opened stays, so that a download goes on while it is closed.
  const [wasOpened, setWasOpened] = useState(false);

  function open({ newState, currentTarget }: ToggleEvent<HTMLElement>) {
    if (newState !== "open" || !opener.current) return;
    setWasOpened(true);
    const { bottom, right } = opener.current.getBoundingClientRect();
    currentTarget.style.setProperty("--below", `${bottom + window.scrollY}px`);
    currentTarget.style.setProperty("--from-end", `${document.documentElement.clientWidth - right}px`);
  }

  return (
    <>
      <Button {...props} ref={opener} variant={variant} popoverTarget={id}>
        {button}
      </Button>
      <section id={id} popover="auto" className={styles.popover} aria-label={label} onBeforeToggle={open}>
        {wasOpened && <Suspense fallback={<Loading />}>{children}</Suspense>}
      </section>
    </>
  );
}

function Loading() {
  return <p>{useDelayedPending(true) && inboxMessages.loading}</p>;
}

/** Content that is loaded when it is first shown. If that fails, a sentence stands in its place. */
export function lazyContent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const failed = (_: Props) => <p>{inboxMessages.notLoaded}</p>;
  return lazy(async () => ({ default: await load().catch(() => failed) }));
}
