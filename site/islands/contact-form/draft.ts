import type { Contact } from "#validation/contact";

/**
 * What a visitor has tried to send, until it is sent or the tab is closed (docs/specification.md#prepared-mail). It is in
 * session storage, which no other tab and no later visit can read, because the computer may not be the visitor's own.
 * The privacy policy tells of it.
 */
export const draftKey = "contact-draft";

export type Draft = Record<keyof Contact, string>;

export function keepDraft(draft: Draft) {
  withStorage((storage) => storage.setItem(draftKey, JSON.stringify(draft)));
}

export function readDraft(): Partial<Draft> | undefined {
  return withStorage((storage) => JSON.parse(storage.getItem(draftKey) ?? "null") ?? undefined);
}

export function dropDraft() {
  withStorage((storage) => storage.removeItem(draftKey));
}

/** Without storage (it can be switched off or full) a draft lasts as long as the page. */
function withStorage<Value>(work: (storage: Storage) => Value): Value | undefined {
  try {
    return work(window.sessionStorage);
  } catch {
    return undefined;
  }
}
