import type { Auction } from '../../counties/auctions/auction.js';
import type { Deal } from '../deal.js';
import type { LeadScore } from '../scoring/lead-score.js';
import type { Signal } from '../../counties/signals/signal.js';
import type { Licence } from '../../sources/source.js';

interface ScoredLead {
  /** Of the record that makes it a lead, as its own feed has it. */
  readonly id: string;
  readonly score: LeadScore;
  /** Street address of the property. */
  readonly address: string;
  /** When all that makes it a lead was last seen. */
  readonly verifiedAt: Date;
  /** Under which the record is sold. */
  readonly licence: Licence;
}

/** A sheriff sale that is still to come. */
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
  /** The county record's. */
  readonly sourceUrl: string;
}

/** What is sold as a lead: a record with its score. Source: docs/decisions/contract.md. */
export type Lead = SheriffSaleLead | TaxDelinquentLead | MotivatedListingLead;
