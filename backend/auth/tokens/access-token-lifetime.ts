/** At least three minutes, because the client refreshes 90 s before the end (docs/protocol.md#access-token). */
export const accessTokenSeconds = 60 * 60;

/** How many seconds two servers' clocks may differ, as with PostgREST (docs/protocol.md#token-check). */
export const skewSeconds = 30;
