import { dealEvents } from '../../src/feeds/events/deal-events.js';
import { createEventLog } from '../../src/feeds/events/event-log.js';
import type { EventStore, StoredEvent } from '../../src/feeds/events/event-store.js';
import { dealKind, type DealColumns, type DealFilter } from '../../src/feeds/query/deal-kind.js';
import { inForce, scriptTakedowns } from '../feeds/scripted-takedowns.js';
import { drawDeals, fiveRanges, measureCpu, memoryNow } from './queries.js';
import { atMost, type Report } from './report.js';

const goalMs = 5;
const goalBytes = 400;

/** Measures the events of a feed in memory: what each takes, and the CPU of a question about a hundred thousand. */
export async function measureEvents(report: Report, count = 100_000): Promise<void> {
  const { deals } = drawDeals(count);
  const { takedowns, license } = scriptTakedowns();
  await license(inForce('bench'));
  const store: Pick<EventStore<DealColumns>, 'readAfter' | 'readDropped'> = {
    readDropped: () => Promise.resolve(0),
    async *readAfter() {
      for (let start = 0; start < count; start += 500)
        yield await Promise.resolve(deals.slice(start, start + 500).map((deal, index) => toEvent(deal, start + index)));
    },
  };
  const log = createEventLog({
    ...{ rules: dealEvents, store: store as EventStore<DealColumns>, testsOf: dealKind.testsOf, takedowns },
    findShown: () => new Set<string>(),
  });
  const before = memoryNow();
  await log.load(1);
  const bytes = (memoryNow() - before) / count;
  report.title(`${count} events`);
  report.figure({ name: 'an event in memory', value: bytes, unit: 'bytes', goal: atMost(goalBytes) });
  const questions: Record<string, (index: number) => DealFilter> = {
    everything: () => ({}),
    state: () => ({ state: ['OH'] }),
    price: (index) => ({ maxPriceCents: 50_000_000 + index }),
    'price, cap, units': (index) => ({ maxPriceCents: 50_000_000 + index, minCapHundredths: 700, minUnits: 10 }),
    'five ranges': fiveRanges,
    'near, 10 miles': () => ({ near: { latitude: 35, longitude: -95, radiusMiles: 10 } }),
  };
  const asked = { after: { version: 0, ordinal: 0 }, upTo: log.head() };
  for (const [what, filterOf] of Object.entries(questions)) {
    const ms = measureCpu((index) => log.find({ ...asked, filter: filterOf(index) })) * (100_000 / count);
    report.figure({ name: `events: ${what}`, value: ms, unit: 'ms CPU per 100,000', goal: atMost(goalMs) });
  }
}

/** Of four events three tell what became of a deal that was there before. */
function toEvent(deal: DealColumns, index: number): StoredEvent<DealColumns> {
  const place = { version: 1, ordinal: index + 1, at: new Date(index), takedownNumber: 0, id: deal.id };
  if (index % 4 === 0) return { ...place, event: 'listed', before: undefined, after: deal };
  return {
    ...place,
    event: 'repriced',
    before: { ...deal, priceCents: (deal.priceCents ?? 0) + 1_000_000 },
    after: deal,
  };
}
