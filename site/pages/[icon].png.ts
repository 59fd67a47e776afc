import type { APIRoute, GetStaticPaths } from "astro";
import { type IconName, iconPng, icons } from "../metadata/icons";

export const getStaticPaths: GetStaticPaths = () => Object.keys(icons).map((icon) => ({ params: { icon } }));

export const GET: APIRoute = async ({ params }) =>
  new Response(new Uint8Array(await iconPng(icons[params.icon as IconName])));
