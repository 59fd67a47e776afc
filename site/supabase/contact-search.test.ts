import { expect, test } from "vitest";
import { parseSearch } from "./contact-search";

const values = (search: string) => parseSearch(search).map(([, , value]) => value);

test("a search has at most eight different words of 200 characters together, as patterns that mean themselves", () => {
  expect(values(` Zoë\u00a0zoë  50%_\\ "a*b" <> `)).toEqual(["%zoe%", "%50\\%\\_\\\\%", "%a_b%"]);
  expect(values("1 2 3 3 4 5 6 7 8 9")).toHaveLength(8);
  expect(values(`${"x".repeat(198)} yz`)).toEqual([`%${"x".repeat(198)}%`, "%y%"]);
  expect(values("\ufdfa".repeat(200))).toEqual([expect.stringMatching(/^%.{200}%$/u)]);
});
