import type { draftKey } from "./send";

// A contact that was sent before hydration ends at /thanks, and the form could not drop its draft. The key is written
// here too, because an import would cost the page a request; its type holds both equal.
const key: typeof draftKey = "contact-draft";
try {
  sessionStorage.removeItem(key);
} catch {
  // Without storage there is no draft.
}
