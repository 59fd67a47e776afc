/** What to do about a message of the client library (docs/specification.md#texts-of-the-client-library). */
export const libraryAdvice: Readonly<Record<string, string>> = {
  "Invalid JWT signature": "Please log out and log in again.",
};
