import type { APIRoute } from "astro";
import { iconSvg } from "../metadata/icons";

// The server goes by the file's ending; `npm run dev` has only this to tell.
const headers = { "content-type": "image/svg+xml" };

export const GET: APIRoute = async () => new Response(await iconSvg(), { headers });
