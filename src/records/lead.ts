import type * as Wire from '../../generated/types.gen.js';
import type { Lead } from '../deals/leads/lead.js';
import { auctionToWire } from './auction.js';
import { dealToWire } from './deal.js';
import { signalToWire } from './signal.js';

/** Converts a lead to the contract's form: its record's own fields and its score. */
export function leadToWire(lead: Lead): Wire.Lead {
  const { base, equityGap, urgency } = lead.score.rationale;
  const { address } = lead;
  const scored = {
    lead_score: lead.score.leadScore,
    score_rationale: { base, equity_gap: equityGap, urgency },
    address,
  };
  switch (lead.leadType) {
    case 'sheriff_sale_auction':
      return {
        lead_type: lead.leadType,
        ...scored,
        ...auctionToWire(lead.auction, lead.licence),
        property_address: address,
      };
    case 'tax_delinquent_owner':
      return {
        lead_type: lead.leadType,
        ...scored,
        ...signalToWire(lead.signal, lead.licence),
        address,
        has_address: true,
        address_status: 'complete',
      };
    case 'motivated_listing':
      return {
        lead_type: lead.leadType,
        ...scored,
        source_url: lead.sourceUrl,
        ...dealToWire(lead.deal),
        address,
      };
  }
}
