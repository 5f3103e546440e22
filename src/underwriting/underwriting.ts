import type { Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { ExpenseItem, UnitKind } from '../listings/listing.js';
import type { HudRent } from './rents/hud-rent.js';

export type NoiSource = 'stated' | 'derived_from_advertised_cap' | 'underwritten';
export type DscrStatus = 'computed' | 'insufficient_data' | 'not_applicable';
export type UnderwriteReliability = 'ok' | 'proxy_out_of_range' | 'unknown';

/** The inputs of underwriting from a listing, each figure as the source stated it. */
export interface UnderwritingInputs {
  readonly listPrice: Maybe<DecimalText>;
  readonly units: Maybe<number>;
  readonly unitMix: Maybe<readonly UnitKind[]>;
  readonly capRate: Maybe<DecimalText>;
  readonly noi: Maybe<DecimalText>;
  readonly operatingExpenses: Maybe<DecimalText>;
  readonly expenseItems: Maybe<readonly ExpenseItem[]>;
  readonly vacancyPct: Maybe<DecimalText>;
  readonly rent: Maybe<HudRent>;
  /** A cash-only auction has no financed DSCR. */
  readonly cashOnlyAuction: boolean;
}

/**
 * The figures of one underwriting, each rounded once, half-up, to its published digits. Money in USD, rates in percent.
 */
export interface Underwriting {
  /** Version of the assumption set that produced every figure below, such as `uw-1.0.0`. */
  readonly assumptionSet: string;
  readonly rent: Maybe<HudRent>;
  readonly noi: Maybe<DecimalText>;
  readonly noiSource: Maybe<NoiSource>;
  readonly noiUnderwritten: Maybe<DecimalText>;
  readonly capRateUnderwritten: Maybe<DecimalText>;
  readonly capGapPct: Maybe<DecimalText>;
  readonly dscr: Maybe<DecimalText>;
  readonly dscrStatus: DscrStatus;
  readonly dscrUnderwritten: Maybe<DecimalText>;
  readonly reliability: UnderwriteReliability;
  readonly grossPotentialRent: Maybe<DecimalText>;
  readonly effectiveGrossIncome: Maybe<DecimalText>;
  readonly operatingExpenses: Maybe<DecimalText>;
  readonly loan: Maybe<DecimalText>;
  readonly annualDebtService: Maybe<DecimalText>;
  readonly debtYieldPct: Maybe<DecimalText>;
  readonly breakEvenOccupancyPct: Maybe<DecimalText>;
  readonly pricePerUnit: Maybe<DecimalText>;
  /** Price divided by gross potential rent. */
  readonly grossRentMultiplier: Maybe<DecimalText>;
  readonly dataQuality: readonly UnderwritingFlag[];
}

/** A warning about the inputs. `units_suspect`: price divided by annual rent is below 2.5. */
export type UnderwritingFlag = 'hud_rent_stale' | 'units_suspect' | 'cap_noi_disagree';
