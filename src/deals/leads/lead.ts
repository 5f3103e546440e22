import type { Auction } from '../../counties/auctions/auction.js';
import type { Deal } from '../deal.js';
import type { LeadScore } from '../scoring/lead-score.js';
import type { Signal } from '../../counties/signals/signal.js';
import type { Licence } from '../../sources/source.js';

interface ScoredLead {
  /** The record's id in its own feed. */
  readonly id: string;
  readonly score: LeadScore;
  /** Street address of the property. */
  readonly address: string;
  /** When every record behind the lead had been seen: the older of their `lastSeenAt`. */
  readonly verifiedAt: Date;
  /** The licence under which the record is sold. */
  readonly licence: Licence;
}

/** An upcoming sheriff sale. */
export interface SheriffSaleLead extends ScoredLead {
  readonly leadType: 'sheriff_sale_auction';
  readonly auction: Auction;
}

/** A tax delinquency on a property with a street address. */
export interface TaxDelinquentLead extends ScoredLead {
  readonly leadType: 'tax_delinquent_owner';
  readonly signal: Signal;
}

/** An active deal that a county record matches. */
export interface MotivatedListingLead extends ScoredLead {
  readonly leadType: 'motivated_listing';
  readonly deal: Deal;
  /** URL of the county record. */
  readonly sourceUrl: string;
}

/** A record that is sold as a lead, with its score. Source: docs/decisions/contract.md. */
export type Lead = SheriffSaleLead | TaxDelinquentLead | MotivatedListingLead;
