import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as Wire from '../../generated/types.gen.js';
import { createRenderDeal } from '../records/deal.js';
import { createRenderLead } from '../records/lead.js';
import { ContractBreach, createProver } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import { composeDeals } from '../deals/compose-deals.js';
import type { DealFacts } from '../deals/deal-facts.js';
import type { RecordToStore } from '../feeds/store/published-record.js';
import { findDealLead } from '../deals/leads/find-lead.js';
import { makeReportInputs, writeReportInputs, type WrittenReportInputs } from '../deals/reports/report-inputs.js';

/** All that is published of one deal. Plain data: it may come from another thread. */
export interface PreparedDeal {
  readonly id: string;
  readonly record: PreparedRecord;
  readonly inputs: WrittenReportInputs;
  /** The lead that the deal is, where it is one and can be published. */
  readonly lead: PreparedRecord | undefined;
}

/** A rendered record, or in which places it breaks the contract. */
export type PreparedRecord = RecordToStore | { readonly id: string; readonly breach: string };

/** Prepares the deals that some listings are, in their order; see `composeDeals` for those that are left out. */
export type PrepareDeals = (facts: DealFacts) => Promise<readonly PreparedDeal[]>;

/** Composes, renders and proves deals, synchronously. Ten take some milliseconds. */
export function createPrepareSync(validators: Validators): (facts: DealFacts) => PreparedDeal[] {
  const renderDeal = createRenderDeal({
    full: createProver<Wire.Deal>(validators, 'Deal'),
    basic: createProver<Wire.BasicDeal>(validators, 'BasicDeal'),
    compact: createProver<Wire.CompactDeal>(validators, 'CompactDeal'),
  });
  const renderLead = createRenderLead(createProver<Wire.Lead>(validators, 'Lead'));

  return (facts) =>
    composeDeals(facts).map((deal) => {
      const { id } = deal;
      const record = prepareRecord(id, () => renderDeal(deal));
      const lead = 'breach' in record ? undefined : findDealLead(deal, facts.now);
      return {
        id,
        record,
        inputs: writeReportInputs(makeReportInputs(deal)),
        lead: lead && prepareRecord(id, () => renderLead(lead)),
      };
    });
}

function prepareRecord(id: string, render: () => RecordToStore): PreparedRecord {
  try {
    return render();
  } catch (error) {
    if (error instanceof ContractBreach) return { id, breach: error.message };
    throw error;
  }
}

const dealsPerTurn = 10;

/** The same, but yields to the event loop every few deals. */
export function createPrepareInTurns(validators: Validators): PrepareDeals {
  const prepare = createPrepareSync(validators);
  return async (facts) => {
    const prepared: PreparedDeal[] = [];
    for (let start = 0; start < facts.listings.length; start += dealsPerTurn) {
      prepared.push(...prepare({ ...facts, listings: facts.listings.slice(start, start + dealsPerTurn) }));
      await nextTurn();
    }
    return prepared;
  };
}

/** What is stored of a prepared record. @throws ContractBreach */
export function recordOrThrow(record: PreparedRecord): RecordToStore {
  if ('breach' in record) throw new ContractBreach(record.breach);
  return record;
}
