import { expect, test } from "vitest";
import { formatRate } from "./rate";

test.each([
  [1, 3, "6 to 80"],
  [0, 3, "0 to 57"],
  [0, 5, "0 to 44"],
  [5, 5, "56 to 100"],
  [3, 100, "1 to 9"],
  [30, 1000, "about 3"],
  [123, 10_000, "about 1.2"],
  [2, 0, "–"],
  [2, 1, "–"],
])("%i contacts of %i visits are %s of a hundred", (contacts, visits, rate) => {
  expect(formatRate(contacts, visits)).toBe(rate);
});
