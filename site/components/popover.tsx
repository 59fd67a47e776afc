import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { inboxMessages } from "#content/messages";
import { pageProblems } from "#content/page-problems";
import { useDelayedPending } from "../hooks/use-delayed-pending";
import { Button } from "./button";
import styles from "./popover.module.css";

interface PopoverProps extends Pick<ComponentProps<typeof Button>, "variant" | "aria-label" | "id"> {
  /** The side of the button with which it is in line. */
  align?: "start" | "end";
  /** What the button shows. */
  button: ReactNode;
  /** Names what opens, for assistive technology. */
  label: string;
  children: ReactNode;
}

/** A button, and what it opens below itself, or above in the lower half of the window; on a phone, at the lower edge. Escape or a press elsewhere closes it. */
export function Popover({ button, label, children, variant = "tool", align = "end", ...props }: PopoverProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  // What has been opened stays, so that a download goes on while it is closed.
  const [wasOpened, setWasOpened] = useState(false);

  function open({ newState, currentTarget }: ToggleEvent<HTMLElement>) {
    if (newState !== "open" || !opener.current) return;
    setWasOpened(true);
    const { top, bottom, left, right } = opener.current.getBoundingClientRect();
    const isLow = bottom > window.innerHeight / 2;
    const isStart = align === "start";
    const place = {
      "--below": isLow ? "auto" : `${bottom + window.scrollY}px`,
      "--above": isLow ? `${window.innerHeight - top - window.scrollY}px` : "auto",
      "--room": `${isLow ? top : window.innerHeight - bottom}px`,
      "--from-start": isStart ? `${left}px` : "auto",
      "--from-end": isStart ? "auto" : `${document.documentElement.clientWidth - right}px`,
    };
    for (const [name, value] of Object.entries(place)) currentTarget.style.setProperty(name, value);
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

/** Content that is loaded when it is first shown, at the second try if need be. */
export function lazyContent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loadAgain = () => new Promise((resolve) => setTimeout(resolve, 1000)).then(load);
  const failed = () => NotLoaded as ComponentType<Props>;
  return lazy(async () => ({ default: await load().catch(loadAgain).catch(failed) }));
}

/** A sentence in place of the content, or nothing if it can be closed. The header offers to load the page again. */
function NotLoaded({ onClose }: { onClose?: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is shown
  useEffect(() => {
    window.dispatchEvent(new Event("script-lost"));
    onClose?.();
  }, []);
  return <p>{pageProblems.notLoaded}</p>;
}
