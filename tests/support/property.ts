import fc from "fast-check";

/**
 * Property tests draw from one seed, fixed by default, so that a failure can be repeated: `TEST_SEED=42 npm test`, or
 * `TEST_SEED=random` for another one each time. `npm test` prints it.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

export { fc };
