import type { APIRoute } from "astro";
import { iconSvg } from "../metadata/icons";

// Only `npm run dev` needs this header: our server derives the type from the file's extension.
const headers = { "content-type": "image/svg+xml" };

export const GET: APIRoute = async () => new Response(await iconSvg(), { headers });
