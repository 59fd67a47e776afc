import { expect, test } from "vitest";
import { statusOf } from "./sqlstates.ts";

test.each([
  ["23505", 409],
  ["23503", 409],
  ["23502", 400],
  ["23514", 400],
  ["22P02", 400],
  ["22P05", 400],
  ["42703", 400],
  ["42P01", 404],
  ["42883", 404],
  ["42P17", 500],
  ["25006", 405],
  ["25P02", 500],
  ["40001", 500],
  ["53300", 503],
  ["53400", 500],
  ["54001", 500],
  ["57014", 500],
  ["57P01", 503],
  ["57P03", 503],
  ["08006", 503],
  ["28000", 403],
  ["0LP01", 403],
  ["0P000", 403],
  ["P0001", 400],
  ["P0002", 500],
  ["XX000", 500],
  ["PT429", 429],
  ["PT503", 503],
  ["PT200", 500],
  ["PTabc", 500],
  ["12345", 400],
])("%s is %i", (sqlstate, status) => {
  expect(statusOf(sqlstate, "", true)).toBe(status);
});

test("what signing in could change is 401, what it could not is 403", () => {
  expect(statusOf("42501", "", true)).toBe(401);
  expect(statusOf("42501", "", false)).toBe(403);
});

test("two states are told apart by their words", () => {
  expect(statusOf("22023", 'role "king" does not exist', true)).toBe(401);
  expect(statusOf("22023", "something else", true)).toBe(400);
  expect(statusOf("21000", "DELETE requires a WHERE clause", true)).toBe(400);
  expect(statusOf("21000", "more than one row", true)).toBe(500);
});
