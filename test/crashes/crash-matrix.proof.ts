import { requirePostgres } from '../support/postgres.js';
import { sliceOf } from '../support/depth.js';
import { cells as allCells, nameOf } from './cells.js';
import { startCrashLane, type CrashLane } from './crash-lane.js';
import { exclusiveLead, hotDeals } from './crash-products.js';

/** A restored ledger sells no lead of before to one buyer: `restored-leads.proof.ts`. */
const leadCells = allCells.filter(({ fate }) => fate !== 'restored');

for (const [title, sale, all] of [
  ['a payment', { product: hotDeals }, allCells],
  [
    'a payment, on a node that does not wait, with a block each 200 ms',
    { product: hotDeals, isPlainNode: true },
    allCells,
  ],
  ['the sale of a lead to one buyer', { product: exclusiveLead }, leadCells],
] as const) {
  /** Some of each outcome, before and after a step in turn. */
  const cells = sliceOf(all, 7);

  // Both databases run concurrently, each with its own chain, since the tests mostly wait.
  describe(`kill -9 at every step of ${title}, with every settlement outcome`, function () {
    this.timeout(600_000);
    const lanes: { embedded?: CrashLane; postgres?: CrashLane } = {};

    before(() => {
      const postgresUrl = process.env.TEST_DATABASE_URL;
      lanes.embedded = startCrashLane(sale, cells);
      if (postgresUrl) lanes.postgres = startCrashLane({ ...sale, postgresUrl }, cells);
    });
    after(async () => {
      for (const [kind, lane] of Object.entries(lanes)) {
        await lane.close();
        process.stdout.write(`\n  What held, and the seconds of its server's life, ${kind}\n\n${lane.renderTable()}`);
      }
    });

    for (const kind of ['embedded', 'postgres'] as const) {
      describe(kind === 'embedded' ? 'on the embedded database' : 'on PostgreSQL', () => {
        if (kind === 'postgres') before(requireServer);

        for (const cell of cells)
          it(`${nameOf(cell)}: nothing is lost, nothing is sold twice`, () => lanes[kind]?.result(cell));

        it('at all of them: the ledger equals the chain, and no payment stays open', () => lanes[kind]?.conserved);
      });
    }
  });
}

function requireServer(this: Mocha.Context): void {
  requirePostgres(this);
}
