import type { AuthError } from "@supabase/auth-js";
import { expect, test } from "vitest";
import { authFailure, dataFailure } from "./result";

test.each([
  ["a sentence of the product", 503, "PT503", "Please try again in a minute.", true],
  ["PostgREST about its lost database", 503, "PGRST001", "Database client error. Retrying the connection.", false],
  ["PostgREST about its pool", 504, "PGRST003", "Timed out acquiring connection from connection pool.", false],
  ["the page of a proxy", 502, undefined, "<html>Bad Gateway</html>", false],
  ["the words of a gateway", 502, undefined, "error code: 502", false],
  ["the words of a firewall", 403, undefined, "Access denied by rule 1020", false],
  ["a refusal of a rule", 429, "PT429", "You're sending too fast.", true],
])("the data API's message is shown if it is for people: %s", (_, status, code, message, isShown) => {
  const failure = dataFailure({ status, error: { code, message } });
  expect(failure.message).toBe(isShown ? message : undefined);
});

test.each([
  ["the database's refusal", 403, "42501", true],
  ["a refusal to a visitor", 401, "42501", true],
  ["a page of a firewall", 403, undefined, false],
])("only the database says that a permission is missing: %s", (_, status, code, isRefused) => {
  const failure = dataFailure({ status, error: { code, message: "no" } });
  expect(failure.refused).toBe(isRefused);
});

test.each([
  ["our server without its database", 503, "The server cannot reach its data just now.", true],
  ["a reason phrase", 504, "Gateway Timeout", false],
  ["a status, over HTTP/2", 502, "HTTP 502", false],
  ["an empty JSON object", 503, "{}", false],
  ["a fault of the server", 500, "Database error saving new user", true],
])("the auth API's message is shown if it is for people: %s", (_, status, message, isShown) => {
  const error = { name: "AuthRetryableFetchError", status, message } as AuthError;
  expect(authFailure(error).message).toBe(isShown ? message : undefined);
});
