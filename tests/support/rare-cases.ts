/** Whether this run includes cases that are too improbable for their seconds in `npm test`. `npm run test:long` does. */
export const withRareCases = process.env.TEST_RARE === "on";
