import type { APIRoute } from "astro";
import { securityContact } from "../../metadata/contact-files";

// With SOURCE_DATE_EPOCH (reproducible-builds.org), a build on another day has the same bytes.
const { SOURCE_DATE_EPOCH: seconds } = process.env;
const builtAt = seconds ? new Date(Number(seconds) * 1000) : new Date();

export const GET: APIRoute = ({ url }) => new Response(securityContact(new URL(url.origin), builtAt));
