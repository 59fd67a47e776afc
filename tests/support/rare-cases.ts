/**
 * Whether this run includes cases that are too improbable for their seconds in `npm test`: `npm run test:long` does, and
 * `npm test` with the name of a file. In the browser they have the tag @rare.
 */
export const withRareCases = process.env.TEST_RARE === "on";
