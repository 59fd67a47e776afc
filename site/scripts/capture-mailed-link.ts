import { captureLink } from "../supabase/mailed-link";

captureLink();
// Hides the login, which is in the prerendered page, until the stored step is shown.
const { back: _, ...step } = history.state ?? {};
document.documentElement.toggleAttribute("data-other-step", Object.values(step).some(Boolean));
// If a mailed link is opened in a tab that shows this page, only the fragment changes. The browser does not reload the
// page then.
addEventListener("hashchange", () => captureLink() && location.reload());
