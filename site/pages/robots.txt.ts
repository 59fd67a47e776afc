import type { APIRoute } from "astro";
import { robots } from "../metadata/sitemap";

export const GET: APIRoute = ({ url }) => new Response(robots(new URL(url.origin)));
