import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as Wire from '../../generated/types.gen.js';
import { createRenderDeal } from '../records/render-deal.js';
import { createRenderLead } from '../records/render-lead.js';
import { ContractBreach, createProver } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import { composeDeals } from '../deals/compose-deals.js';
import type { DealFacts } from '../deals/deal-facts.js';
import { toStored, type RecordToStore } from '../feeds/store/published-record.js';
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

/** Composes, renders and proves deals, all at once: some milliseconds for every ten. */
export function createPrepareAtOnce(validators: Validators): (facts: DealFacts) => PreparedDeal[] {
  const ofDeal = {
    full: createProver<Wire.Deal>(validators, 'Deal'),
    basic: createProver<Wire.BasicDeal>(validators, 'BasicDeal'),
  };
  const ofLead = { full: createProver<Wire.Lead>(validators, 'Lead') };
  const renderDeal = createRenderDeal(ofDeal);
  const renderLead = createRenderLead(ofLead.full);

  return (facts) =>
    composeDeals(facts).map((deal) => {
      const { id } = deal;
      const record = prepareRecord(id, () => toStored(renderDeal(deal), ofDeal));
      const lead = 'breach' in record ? undefined : findDealLead(deal, facts.now);
      return {
        id,
        record,
        inputs: writeReportInputs(makeReportInputs(deal)),
        lead: lead && prepareRecord(id, () => toStored(renderLead(lead), ofLead)),
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

/** So many are prepared in a few milliseconds. */
const dealsPerTurn = 10;

/** Prepares deals in this thread, and lets its event loop through every few of them. */
export function createPrepareHere(validators: Validators): PrepareDeals {
  const prepare = createPrepareAtOnce(validators);
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
export function recordOf(record: PreparedRecord): RecordToStore {
  if ('breach' in record) throw new ContractBreach(record.breach);
  return record;
}
