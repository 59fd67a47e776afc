/** From the most to the least particular: the longest beginning that fits decides (protocol section 4.6). */
const statusByBeginning: Readonly<Record<string, number>> = {
  "08": 503,
  "09": 500,
  "0L": 403,
  "0P": 403,
  "23503": 409,
  "23505": 409,
  "25006": 405,
  "25": 500,
  "28": 403,
  "2D": 500,
  "38": 500,
  "39": 500,
  "3B": 500,
  "40": 500,
  "42883": 404,
  "42P01": 404,
  "42P17": 500,
  "53400": 500,
  "53": 503,
  "54": 500,
  "55": 500,
  "57P01": 503,
  // Upstream answers 500 to the next three; they mean "gone" and "not up yet", and a client that reads 503 tries again.
  "57P02": 503,
  "57P03": 503,
  "57P05": 503,
  "57": 500,
  "58": 500,
  F0: 500,
  HV: 500,
  P0001: 400,
  P0: 500,
  XX: 500,
};

/** The HTTP status of a PostgreSQL error. `anonymous` tells whether a sign-in could change the answer. */
export function statusOf(sqlstate: string, message: string, anonymous: boolean): number {
  if (sqlstate === "42501") return anonymous ? 401 : 403;
  if (sqlstate === "21000") return message.endsWith("requires a WHERE clause") ? 400 : 500;
  if (sqlstate === "22023") return /^role .* does not exist$/.test(message) ? 401 : 400;

  // A function that raises PT429 chooses its own status; one that is no error would be read as success.
  if (sqlstate.startsWith("PT")) return /^PT[45]\d\d$/.test(sqlstate) ? Number(sqlstate.slice(2)) : 500;

  return statusByBeginning[sqlstate] ?? statusByBeginning[sqlstate.slice(0, 2)] ?? 400;
}
