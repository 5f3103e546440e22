import fc from 'fast-check';

// One seed for every property test, so that a commit has one result. Another number, or `random`, tests new values; a
// failure reports its seed.
const { PROPERTY_SEED = '20261125' } = process.env;
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) });
