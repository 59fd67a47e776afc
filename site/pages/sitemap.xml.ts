import type { APIRoute } from "astro";
import { sitemap } from "../metadata/sitemap";

export const GET: APIRoute = ({ url }) => new Response(sitemap(new URL(url.origin)));
