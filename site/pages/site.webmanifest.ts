import type { APIRoute } from "astro";
import { manifest } from "../metadata/manifest";

export const GET: APIRoute = () => Response.json(manifest());
