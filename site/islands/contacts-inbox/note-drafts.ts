/** A note that was typed and not saved. `version` is the version of the stored note that its writer had read. */
export interface NoteDraft {
  text: string;
  version: number;
  /** When it was typed, in milliseconds since 1970. */
  at: number;
}

/**
 * Drafts are in local storage, because the logout clears the session storage, and a session may end while a note is
 * being typed. The user's id in the key keeps them from other accounts (docs/specification.md#notes).
 */
const prefix = "note-draft:";
const millisecondsMax = 30 * 24 * 60 * 60 * 1000;

export function readDraft(userId: string, contactId: string): NoteDraft | undefined {
  return withStorage((storage) => parse(storage.getItem(keyOf(userId, contactId))));
}

export function keepDraft(userId: string, contactId: string, draft: Omit<NoteDraft, "at">) {
  withStorage((storage) => storage.setItem(keyOf(userId, contactId), JSON.stringify({ ...draft, at: Date.now() })));
}

export function dropDraft(userId: string, contactId: string) {
  withStorage((storage) => storage.removeItem(keyOf(userId, contactId)));
}

/** The ids of the contacts for which this user has drafts. Old drafts of all users are removed. */
export function listDrafts(userId: string): string[] {
  return (
    withStorage((storage) => {
      const keys = Object.keys(storage).filter((key) => key.startsWith(prefix));
      const isOld = (key: string) => (parse(storage.getItem(key))?.at ?? 0) < Date.now() - millisecondsMax;
      for (const key of keys.filter(isOld)) storage.removeItem(key);
      const own = keyOf(userId, "");
      return keys.filter((key) => key.startsWith(own) && storage.getItem(key)).map((key) => key.slice(own.length));
    }) ?? []
  );
}

function keyOf(userId: string, contactId: string): string {
  return `${prefix}${userId}:${contactId}`;
}

function parse(stored: string | null): NoteDraft | undefined {
  try {
    const draft = JSON.parse(stored ?? "null");
    return typeof draft?.text === "string" && Number.isInteger(draft.version) ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** Without storage (it can be switched off or full) no draft is kept. */
function withStorage<Value>(work: (storage: Storage) => Value): Value | undefined {
  try {
    return work(window.localStorage);
  } catch {
    return undefined;
  }
}
