import type { APIRoute } from "astro";
import { securityContact } from "../../metadata/contact-files";

export const GET: APIRoute = ({ url }) => new Response(securityContact(new URL(url.origin), new Date()));
