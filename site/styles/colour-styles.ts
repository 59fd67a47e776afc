import { brandColours } from "#content/brand";
import { requireHexColours } from "./colour-checks";
import { type Colours, dark, light, type Role } from "./colours";

requireHexColours(brandColours);

const roles = Object.keys(light) as Role[];
const differing = roles.filter((role) => light[role] !== dark[role]);

/** The colours as custom properties, and that there are two schemes, for a `<style>`. */
export const colourStyles = [
  rule(["color-scheme:light dark", ...properties(light, roles)]),
  `@media (prefers-color-scheme:dark){${rule(properties(dark, differing))}}`,
].join("");

function properties(colours: Colours, names: readonly Role[]): string[] {
  return names.map((name) => `--${name}:${colours[name]}`);
}

/** `:where` has no specificity, so that the rules for forced colours and for print win, wherever they stand. */
function rule(declarations: readonly string[]): string {
  return `:where(:root){${declarations.join(";")}}`;
}
