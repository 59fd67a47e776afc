import {
  type ComponentProps,
  type ComponentType,
  createContext,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useContext,
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

interface PopoverProps extends Pick<ComponentProps<typeof Button>, "variant" | "aria-label"> {
  opener?: RefObject<HTMLButtonElement | null>;
  /** The side of the button with which it is in line. */
  align?: "start" | "end";
  /** What the button shows. */
  button: ReactNode;
  /** Names what opens, for assistive technology. */
  label: string;
  children: ReactNode;
}

/**
 * A button, and what it opens beside itself, in the middle of the window where the browser has no anchors, or on a phone
 * at the lower edge. Escape or a press elsewhere closes it.
 */
export function Popover({ opener, button, label, children, variant = "tool", align = "end", ...props }: PopoverProps) {
  const id = useId();
  const popover = useRef<HTMLElement>(null);
  // What has been opened stays, so that a download goes on while it is closed.
  const [wasOpened, setWasOpened] = useState(false);

  return (
    <>
      <Button {...props} ref={opener} variant={variant} popoverTarget={id}>
        {button}
      </Button>
      <section
        ref={popover}
        id={id}
        popover="auto"
        className={`floating ${styles.popover}`}
        data-align={align}
        aria-label={label}
        onBeforeToggle={({ newState }) => newState === "open" && setWasOpened(true)}
      >
        <ClosePopover value={() => popover.current?.hidePopover()}>
          {wasOpened && <Suspense fallback={<Loading />}>{children}</Suspense>}
        </ClosePopover>
      </section>
    </>
  );
}

const ClosePopover = createContext(() => {});

/** Closes the popover that contains the component. */
export function useClosePopover(): () => void {
  return useContext(ClosePopover);
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
