import type { APIRoute } from "astro";
import { socialCard } from "../metadata/social-card";

export const GET: APIRoute = async () => new Response(new Uint8Array(await socialCard()));
