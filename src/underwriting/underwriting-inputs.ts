import { hash } from 'node:crypto';
import type { Maybe } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import type { HudRent } from './rents/hud-rent.js';
import type { UnderwritingInputs } from './underwriting.js';

/** The inputs of underwriting from a listing, with the HUD rent of its place. */
export function underwritingInputs(listing: Listing, rent: Maybe<HudRent>): UnderwritingInputs {
  return {
    listPrice: listing.listPrice,
    units: listing.units,
    unitMix: listing.unitMix,
    capRate: listing.capRate,
    noi: listing.noi,
    operatingExpenses: listing.operatingExpenses,
    expenseItems: listing.expenseItems,
    vacancyPct: listing.vacancyPct,
    rent,
    cashOnlyAuction: listing.saleCondition === 'auction' && listing.terms.includes('cash_only'),
  };
}

/** A hash of inputs and assumption set: when it changes, the listing must be underwritten again. */
export function hashInputs(inputs: UnderwritingInputs, assumptionSet: string): string {
  const { listPrice, units, capRate, noi, operatingExpenses, vacancyPct, rent, cashOnlyAuction } = inputs;
  const { unitMix, expenseItems } = inputs;
  const rentParts = 'value' in rent ? Object.entries(rent.value).sort(byName) : rent.absent;
  const parts = [assumptionSet, listPrice, units, capRate, noi, operatingExpenses, vacancyPct, rentParts];
  return hash('sha256', JSON.stringify([...parts, cashOnlyAuction, unitMix, expenseItems]));
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
