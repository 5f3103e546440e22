import { ServiceError } from '../../src/errors.js';
import { createLeadHolds } from '../../src/feeds/lead-holds.js';
import type { HandlerReply } from '../../src/operations/operation.js';
import type { LedgerTables, StoredRow } from './model-ledger.js';
import { databaseLine, type Wire } from './wire.js';
import type { World } from './world.js';

/** Sells each lead to one buyer. */
export const exclusiveOperation = 'buyExclusiveLead';

/** Enough for all buyers of a history, since every payer must get one. */
const leadIds = Array.from({ length: 60 }, (_, index) => `lead${index}`);
const exclusiveMs = 30 * 86_400_000;

/** The lead sales of one instance, over the real lead holds. */
export interface LeadCounter {
  /** Holds the first free lead, and returns the parts of the reply with it. */
  take(): Promise<{ readonly leadId: string } & Pick<HandlerReply, 'leads' | 'onSaleEnd'>>;
  refresh(): Promise<void>;
}

export function createLeadCounter(world: World, wire: Wire, now: () => Date): LeadCounter {
  const { tables, variant } = world;
  const holds = createLeadHolds({
    readHolds: () =>
      wire.call('read holds', databaseLine, () => ({
        leadIds: listHeld(tables, now()),
        exclusiveFrom: isExclusivityUnknown(world) ? now() : undefined,
      })),
    momentAt: () => ({ verifiedSinceMs: 0, todays: {} }),
    now,
  });
  const leadHolds = variant.leadHolds?.(holds) ?? holds;
  return {
    async take() {
      await leadHolds.refreshIfOld();
      const aside = new Set(leadHolds.held(1));
      const leadId = leadIds.find((id) => !aside.has(id));
      // No history is so long that a lead is first seen after it.
      if (leadId === undefined || leadHolds.exclusiveFrom() !== undefined)
        throw new ServiceError('no_exclusive_lead_available', 'None is left.');
      leadHolds.take(leadId);
      const exclusiveUntil = new Date(now().getTime() + exclusiveMs);
      return { leadId, leads: [{ leadId, exclusiveUntil }], onSaleEnd: () => leadHolds.giveBack(leadId) };
    },
    refresh: () => leadHolds.refresh(),
  };
}

/** A restored ledger may have sold any lead: until it is rebuilt, and while a sale is there whose lead is lost. */
export function isExclusivityUnknown({ audits, tables }: Pick<World, 'audits' | 'tables'>): boolean {
  const isUnknown = ({ operationId, binding }: StoredRow) =>
    operationId === exclusiveOperation && binding === undefined;
  return audits.restores.length > 0 || [...tables.payments.values()].some(isUnknown);
}

/** The leads that are held at a moment. */
export function listHeld({ holds }: LedgerTables, now: Date): readonly string[] {
  return [...holds].flatMap(({ leadId, until }) => (until > now ? leadId : []));
}

/** The sold lead, from the text of the mock handler; undefined for another product. */
export function leadIn(sold: string): string | undefined {
  return sold.startsWith(`${exclusiveOperation} `) ? sold.split(' ')[2] : undefined;
}
