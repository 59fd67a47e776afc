import fc from "fast-check";

/**
 * The seed of all property tests, fixed by default so that a failure can be repeated: `TEST_SEED=42 npm test`, or
 * `TEST_SEED=random`. `npm test` prints it.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

export { fc };
