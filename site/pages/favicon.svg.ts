import type { APIRoute } from "astro";
import { iconSvg } from "../metadata/icons";

export const GET: APIRoute = async () => new Response(await iconSvg());
