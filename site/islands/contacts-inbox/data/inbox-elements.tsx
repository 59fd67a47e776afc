import { createContext, createRef, type ReactNode, useContext, useState } from "react";

/** The elements to which commands lead. Each part of the inbox fills in its own. */
function createElements() {
  return {
    search: createRef<HTMLInputElement>(),
    /** The button that opens the filters. It gets the focus of a filter that goes. */
    filters: createRef<HTMLButtonElement>(),
    list: createRef<HTMLElement>(),
    panel: createRef<HTMLElement>(),
    /** The name of the open contact. */
    heading: createRef<HTMLHeadingElement>(),
    /** The buttons that open the choice of a handler, for the selected contacts and for the open one. */
    assignSelected: createRef<HTMLButtonElement>(),
    assignOpen: createRef<HTMLButtonElement>(),
  };
}

const Elements = createContext(createElements());

export function InboxElements({ children }: { children: ReactNode }) {
  const [elements] = useState(createElements);
  return <Elements value={elements}>{children}</Elements>;
}

export function useInboxElements() {
  return useContext(Elements);
}
