import type { ContractOperation } from '../../contract/contract.js';
import { operationNames, type NamedId } from '../../wire/operation-names.js';

/** What a person reads of a product, and what its button says. */
export interface Product {
  readonly name: string;
  /** What it holds: one and several. */
  readonly holds: readonly [one: string, several: string];
  /** On the button, before the price. */
  readonly buy: string;
  /** One sentence, where that of the contract is for programs. */
  readonly says?: string;
}

const products: Partial<Readonly<Record<NamedId, Omit<Product, 'name'>>>> = {
  listDeals: {
    holds: ['deal', 'deals'],
    buy: 'Buy this list',
    says: 'Active listings with HUD underwriting, DSCR and scores, the best first.',
  },
  getReport: { holds: ['report', 'reports'], buy: 'Buy this report' },
  lookUpAddress: { holds: ['record', 'records'], buy: 'Look it up' },
  buyExclusiveLead: { holds: ['lead', 'leads'], buy: 'Buy the best lead' },
  listSignals: { holds: ['signal', 'signals'], buy: 'Buy this list' },
  listAuctions: { holds: ['sale', 'sales'], buy: 'Buy this list' },
  listLeads: { holds: ['lead', 'leads'], buy: 'Buy this list' },
  listEvents: { holds: ['event', 'events'], buy: 'Buy these events' },
};

/** The words of a paid operation. */
export function productOf({ operationId }: ContractOperation): Product {
  const id = operationId as NamedId; // every paid operation has a name, by test
  const words = operationNames[id].replaceAll('_', ' ');
  const name = words.charAt(0).toUpperCase() + words.slice(1);
  return { name, ...(products[id] ?? { holds: ['deal', 'deals'], buy: 'Buy this list' }) };
}
