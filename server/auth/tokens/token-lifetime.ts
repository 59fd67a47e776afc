/**
 * The lifetime of an access token. It must be at least three minutes, because the client refreshes 90 s before the end
 * (docs/protocol.md#access-token).
 */
export const accessTokenSeconds = 60 * 60;

/**
 * How many seconds two servers' clocks may differ. PostgREST allows the same difference (docs/protocol.md#token-check).
 */
export const skewSeconds = 30;
