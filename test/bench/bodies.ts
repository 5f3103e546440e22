import { randomUUID } from 'node:crypto';
import { wholeBytes } from '../../src/contract/rendered.js';
import { createLedgerStore } from '../../src/payments/ledger/ledger-store.js';
import { buildClaim } from '../payments/ledger/build-claim.js';
import { openTestDatabase } from '../support/database.js';
import type { Report } from './report.js';

const claims = 40;

/**
 * Measures what keeping a reply costs: a claim with a body that the ledger has never seen, beside one with a body that
 * it has. CPU of this process; with PostgreSQL the database's own is not in the figure.
 *
 * @param records JSON texts of real records
 */
export async function measureBodies(records: readonly string[], report: Report): Promise<void> {
  const database = await openTestDatabase();
  const ledger = createLedgerStore(database.knex);
  await database.knex('feed_versions').insert({ feed: 'deals', version: 7, published_at: new Date(0) });

  async function measure(bodyOf: () => string): Promise<number> {
    const bodies = Array.from({ length: claims }, bodyOf).map((text) => {
      const body = Buffer.from(text);
      return buildClaim({ text, replyBody: wholeBytes(body) });
    });
    const before = process.cpuUsage();
    for (const claim of bodies) await ledger.claim(claim);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / claims;
  }

  report.title(`keeping the reply (${database.kind} database)`);
  for (const count of [50, 1_000]) {
    const page = (name: string) =>
      `[${Array.from({ length: count }, (_, index) => records[index % records.length]?.replace('{', `{"n":"${name} ${index}",`)).join(',')}]`;
    const known = page('known');
    await measure(() => known);
    const [again, fresh] = [await measure(() => known), await measure(() => page(randomUUID()))];
    report.figure({ name: `keeping ${count} records that are kept already`, value: again, unit: 'ms CPU' });
    report.figure({ name: `keeping ${count} new records`, value: fresh, unit: 'ms CPU' });
  }
  await database.close();
}
