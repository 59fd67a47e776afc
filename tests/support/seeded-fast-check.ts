import fc from "fast-check";

/**
 * The seed for the random values of all property tests. The default seed never changes, so that a failure can be
 * repeated. `TEST_SEED=42 npm test` uses the seed 42, and `TEST_SEED=random npm test` uses a random seed. `npm test`
 * prints the seed.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

export { fc };
