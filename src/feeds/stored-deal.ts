import type { DealColumns, RankedStatus } from './published-deal.js';

/** A published record as the database has it: not proven yet in this process. */
export type StoredDeal =
  | { readonly retired: true; readonly id: string }
  | { readonly retired: false; readonly columns: DealColumns; readonly fullJson: string; readonly basicJson: string };

/** Reads a row of `published_deals`. */
export function readPublishedRow(row: Readonly<Record<string, unknown>>): StoredDeal {
  const id = String(row['id']);
  if (row['retired'] === true) return { retired: true, id };
  return {
    retired: false,
    columns: {
      id,
      state: String(row['state']),
      city: String(row['city']),
      priceCents: optionalNumber(row['price_cents']),
      capHundredths: optionalNumber(row['cap_hundredths']),
      units: optionalNumber(row['units']),
      dealScore: Number(row['deal_score']),
      confidenceHundredths: Number(row['confidence_hundredths']),
      rentalStatus: row['rental_status'] as RankedStatus,
      dscrComputed: row['dscr_computed'] === true,
      lastVerified: row['last_verified'] as Date,
    },
    fullJson: String(row['full_json']),
    basicJson: String(row['basic_json']),
  };
}

function optionalNumber(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
