import fc from 'fast-check';

// One seed for every property, so that one commit has one verdict. Another number, or `random`, looks where no run has
// looked yet: a failure names the seed that shows it again.
const { PROPERTY_SEED = '20261125' } = process.env;
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) });
