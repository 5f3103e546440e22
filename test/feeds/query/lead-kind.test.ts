import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countPositions, firstPositions } from '../../../src/feeds/query/bitmap.js';
import { createEmptyRecords } from '../../../src/feeds/store/in-memory-records.js';
import { leadKind, type LeadColumns, type LeadRank } from '../../../src/feeds/query/lead-kind.js';
import { createSnapshot } from '../../../src/feeds/query/snapshot.js';

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const minuteMs = 60_000;

const lead: fc.Arbitrary<LeadColumns> = fc.record({
  id: fc.uuid(),
  leadScore: fc.integer({ min: 0, max: 3 }),
  leadType: fc.constant('sheriff_sale_auction'),
  state: fc.constant('oh'),
  saleDate: optional(fc.constantFrom('2026-11-20', '2026-11-21', '2026-11-22')),
  timeZone: optional(fc.constantFrom('America/New_York', 'America/Chicago', 'Mars/Olympus')),
  sources: fc.constant(''),
  verifiedMs: fc.constantFrom(minuteMs - 1, minuteMs, 2 * minuteMs),
  firstSeenMs: fc.constant(0),
});

describe('the leads that are not sold', () => {
  it('are those that are too old, over, in a zone that nobody knows, or held, as a plain loop finds them', async () => {
    const leads = fc.uniqueArray(lead, { maxLength: 40, selector: ({ id }) => id });
    const todays = { 'America/New_York': '2026-11-22', 'America/Chicago': '2026-11-21' };
    await fc.assert(
      fc.asyncProperty(leads, fc.array(fc.nat(), { maxLength: 3 }), async (all, picks) => {
        const change = createEmptyRecords<LeadRank, LeadColumns>(leadKind).change();
        for (const each of all) change.put(each);
        const records = await change.finish(turn);
        const { index } = await createSnapshot(leadKind, { version: 1, publishedAt: new Date(0), records }, turn);
        const held = [...picks.map((pick) => all[pick % all.length]?.id ?? ''), 'no-lead', crypto.randomUUID()];
        const notForSale = index.notForSale?.({ verifiedSinceMs: minuteMs, todays }, held);
        assert.ok(notForSale);
        const isNotForSale = ({ id, verifiedMs, saleDate, timeZone }: LeadColumns): boolean =>
          verifiedMs < minuteMs ||
          held.includes(id) ||
          (saleDate !== undefined &&
            timeZone !== undefined &&
            saleDate < (todays[timeZone as keyof typeof todays] ?? '9999-12-31'));
        const found = firstPositions(notForSale, 0, all.length + 1).map((position) => records.at(position)?.id);
        assert.equal(countPositions(notForSale), found.length);
        assert.deepEqual(
          found.sort(),
          all
            .filter(isNotForSale)
            .map(({ id }) => id)
            .sort(),
        );
      }),
      { numRuns: 300 },
    );
  });
});

const turn = (): Promise<void> => Promise.resolve();
