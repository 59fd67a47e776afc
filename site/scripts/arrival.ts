import { isFreshLogin } from "../backend/fresh-login";

/**
 * Notices what a link in an email or a login has left for this page. The address is cleaned before anything else can
 * read or keep the tokens in it. Anchors are nobody's business here, and whoever just visits loads no more than this.
 */
const fields = new URLSearchParams(location.hash.slice(1));
const isLink = fields.has("access_token") || fields.has("error");

if (isLink) history.replaceState(history.state, "", location.pathname + location.search);
if (isFreshLogin() || isLink) import("./arrival-note").then(({ tell }) => tell(fields));
