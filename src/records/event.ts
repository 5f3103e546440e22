import { Decimal } from 'decimal.js';
import type * as Wire from '../../generated/types.gen.js';
import type { Prover } from '../contract/prover.js';
import type { EventValues, RecordEvent } from '../feeds/events/event.js';
import type { ComposedOf } from '../feeds/events/write-events.js';
import type { RecordToStore } from '../feeds/store/published-record.js';

type Parts = Pick<Wire.EventFacts, 'before' | 'after' | 'change_pct' | 'absent'>;

/** Composes the parts of a deal's event as it is sold, and proves the whole of it. */
export function createComposeDealEvent(prover: Prover<Wire.DealEvent>) {
  return createCompose<Wire.BasicDeal>(
    ({ bodies }) => JSON.parse(bodies.basic?.text ?? '') as Wire.BasicDeal,
    (event) => prover.prove({ ...event, entity: 'deal' }),
  );
}

/** The same of an auction. */
export function createComposeAuctionEvent(prover: Prover<Wire.AuctionEvent>) {
  return createCompose<Wire.AuctionBrief>(
    ({ bodies }) => briefOf(JSON.parse(bodies.full.text) as Wire.Auction),
    (event) => prover.prove({ ...event, entity: 'auction' }),
  );
}

function createCompose<Brief>(
  toBrief: (record: RecordToStore) => Brief,
  prove: (event: Wire.EventFacts & { readonly record: Brief | null }) => unknown,
): (event: RecordEvent, of: ComposedOf) => string {
  return ({ event, before, after }, { id, observedAt, record }) => {
    const change = event === 'repriced' ? changePct(before, after) : undefined;
    const noChange = event === 'repriced' ? 'insufficient_inputs' : 'not_applicable';
    const parts = {
      before: before ?? null,
      after: after ?? null,
      change_pct: change ?? null,
      record: record === undefined ? null : toBrief(record),
      absent: {
        ...(before === undefined && { before: notApplicable }),
        ...(after === undefined && { after: notApplicable }),
        ...(change === undefined && { change_pct: { reason: noChange } }),
        ...(record === undefined && { record: notApplicable }),
      } as Parts['absent'],
    };
    const at = observedAt.toISOString();
    // Where it will stand, and when, is known once it is published.
    prove({ event_id: 'd1-1', event, id, at, observed_at: at, ...(parts as typeof parts & Parts) });
    return JSON.stringify(parts);
  };
}

const notApplicable = { reason: 'not_applicable' } as const;

function briefOf(auction: Wire.Auction): Wire.AuctionBrief {
  const { id, county, sale_date, sale_status, property_address, city, source_url, absent } = auction;
  return {
    ...{ id, county, sale_date, sale_status, property_address, city, source_url },
    absent: {
      ...(absent.property_address && { property_address: absent.property_address }),
      ...(absent.city && { city: absent.city }),
    },
  };
}

/** Of the first amount of both sides; undefined where it was or is unknown. */
function changePct(before: EventValues = {}, after: EventValues = {}): string | undefined {
  const [name = ''] = Object.keys(before);
  const [from, to] = [before[name], after[name]];
  if (from === undefined || to === undefined || Number(from) === 0) return undefined;
  const percent = new Decimal(to).minus(from).div(from).times(100).toFixed(2, Decimal.ROUND_HALF_UP);
  return percent === '-0.00' ? '0.00' : percent;
}

/** An event as it is sold. */
export function eventToWire(
  facts: Pick<Wire.EventFacts, 'event_id' | 'event' | 'id' | 'at' | 'observed_at'>,
  entity: Wire.Event['entity'],
  body: string,
): Wire.Event {
  // Its parts were proven when it was published; the reply is proven again as a whole.
  return { ...facts, entity, ...(JSON.parse(body) as Parts) } as Wire.Event;
}

/** What is told of a record that must not be shown any more: that it is to be deleted. */
export function removalToWire(
  facts: Pick<Wire.EventFacts, 'event_id' | 'id' | 'at'>,
  entity: Wire.Event['entity'],
): Wire.Event {
  return {
    ...{ event_id: facts.event_id, event: 'removed', id: facts.id, at: facts.at, observed_at: facts.at, entity },
    ...{ before: null, after: null, change_pct: null, record: null },
    absent: {
      before: { reason: 'suppressed_by_policy' },
      after: notApplicable,
      change_pct: notApplicable,
      record: notApplicable,
    },
  };
}
