import type { APIRoute } from "astro";
import { humans } from "../metadata/contact-files";

export const GET: APIRoute = ({ url }) => new Response(humans(new URL(url.origin)));
