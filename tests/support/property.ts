import fc from "fast-check";

/**
 * The seed of all property tests. It is fixed by default, so that a failure can be repeated; `TEST_SEED=42 npm test`
 * sets another one and `TEST_SEED=random npm test` a random one. `npm test` prints the seed.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

export { fc };
