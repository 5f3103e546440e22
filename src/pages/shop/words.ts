import type {
  EventName,
  LeadType,
  ListAuctionsData,
  ListDealsData,
  ListEventsData,
  ListLeadsData,
  ListSignalsData,
  LookUpAddressData,
  PathStatus,
  PropertyType,
  ReportPreview,
  ReportSection,
  SaleStatus,
  UnderwriteReliability,
} from '../../../generated/types.gen.js';
import { eventNames, leadKinds, saleStatuses } from '../../wire/code-words.js';

type Query<Data extends { query?: object }> = NonNullable<Data['query']>;
type Sort = (Query<ListDealsData> | Query<ListSignalsData> | Query<ListAuctionsData> | Query<ListLeadsData>)['sort'];

/** The parameters of the paid calls. */
export type FieldName =
  | keyof Query<ListDealsData>
  | keyof Query<ListSignalsData>
  | keyof Query<ListAuctionsData>
  | keyof Query<ListEventsData>
  | keyof Query<ListLeadsData>
  | keyof Query<LookUpAddressData>;

/** What people read for a parameter; a new one does not compile without its words. */
export const fieldNames: Readonly<Record<FieldName, string>> = {
  address: 'Street address',
  feed: 'Of',
  event: 'What happened',
  since: 'Since',
  cursor: 'After cursor',
  state: 'State',
  city: 'City',
  county: 'County',
  zip: 'ZIP',
  metro: 'Metro',
  near: 'Near',
  radius: 'Radius, miles',
  min_price: 'Lowest price, $',
  max_price: 'Highest price, $',
  min_cap: 'Lowest cap rate, %',
  min_units: 'Fewest units',
  max_units: 'Most units',
  min_score: 'Lowest score',
  status: 'Rental status',
  wholesale_status: 'Wholesale status',
  creative_status: 'Creative status',
  reliability: 'HUD rents check it',
  property_type: 'Kind of property',
  min_price_per_unit: 'Lowest price per unit, $',
  max_price_per_unit: 'Highest price per unit, $',
  min_dscr: 'Lowest DSCR',
  min_confidence: 'Lowest confidence',
  min_cap_underwritten: 'Lowest cap rate on HUD rents, %',
  max_cap_gap: 'Most points claimed over HUD',
  min_year_built: 'Built in or after',
  max_year_built: 'Built in or before',
  min_days_on_feed: 'Fewest days listed',
  max_days_on_feed: 'Most days listed',
  min_price_cut_pct: 'Lowest price cut, %',
  min_price_cut: 'Lowest price cut, $',
  price_cut_since: 'Price cut since',
  first_seen_since: 'First seen since',
  signal_type: 'Kind of record',
  min_amount: 'Lowest amount, $',
  has_address: 'Has a street address',
  from_date: 'From date',
  to_date: 'To date',
  min_appraised: 'Lowest appraisal, $',
  max_opening_bid: 'Highest opening bid, $',
  sale_status: 'Status of the sale',
  include_past: 'Past sales too',
  lead_type: 'Kind of lead',
  sort: 'Sort by',
  order: 'Order',
  view: 'Columns',
  limit: 'Most records in a page',
};

const statuses: Readonly<Record<PathStatus, string>> = { Hot: 'Hot', Warm: 'Warm', Pass: 'Pass' };

const kinds: Readonly<Record<NonNullable<PropertyType>, string>> = {
  duplex: 'duplex',
  triplex: 'triplex',
  fourplex: 'fourplex',
  multifamily_5_plus: 'five or more units',
  mixed_use: 'mixed use',
  portfolio: 'portfolio',
};

const reliabilities: Readonly<Record<UnderwriteReliability, string>> = {
  ok: 'checked against HUD rents',
  proxy_out_of_range: 'too dear for HUD rents to check',
  unknown: 'not checked against HUD rents',
};

const sorts: Readonly<Record<NonNullable<Sort>, string>> = {
  score: 'score',
  price: 'price',
  price_per_unit: 'price per unit',
  cap: 'cap rate',
  cap_underwritten: 'cap rate on HUD rents',
  cap_gap: 'claimed over HUD',
  dscr: 'DSCR',
  first_seen: 'first seen',
  price_cut_pct: 'price cut',
  distance: 'distance',
  amount: 'amount',
  sale_date: 'date of sale',
  appraised: 'appraisal',
};

const truths = { true: 'yes', false: 'no' };

/** What people read for the values of a parameter that has few. Metros have their own names. */
export const choiceWords: Partial<Readonly<Record<FieldName, Readonly<Record<string, string>>>>> = {
  status: statuses,
  wholesale_status: statuses,
  creative_status: statuses,
  property_type: kinds,
  reliability: reliabilities,
  sale_status: saleStatuses satisfies Readonly<Record<SaleStatus, string>>,
  lead_type: leadKinds satisfies Readonly<Record<LeadType, string>>,
  signal_type: { tax_delinquent: 'unpaid property tax' },
  event: eventNames satisfies Readonly<Record<EventName, string>>,
  feed: { deals: 'deals', auctions: 'sheriff sales' },
  sort: sorts,
  order: { asc: 'ascending', desc: 'descending' },
  view: { full: 'all', compact: 'figures only' },
  has_address: truths,
  include_past: truths,
};

/** The sections of a report. */
export const sectionNames: Readonly<Record<ReportSection['name'], string>> = {
  claimed: 'The seller’s claim',
  hud: 'Underwriting on HUD rents',
  sensitivity: 'Sensitivity',
  offer_range: 'Offer range',
  price_history: 'Price history',
  market: 'Market',
  county_records: 'County records',
};

export const confidences: Readonly<Record<ReportPreview['confidence'], string>> = {
  'under_0.5': 'under 0.5',
  '0.5_to_0.75': '0.5 to 0.75',
  'over_0.75': 'over 0.75',
};

/** Why a part of a record is absent. */
const absences: Readonly<Record<string, string>> = {
  not_stated_by_source: 'not stated in the listing',
  not_published_by_source: 'not stated in the listing',
  insufficient_inputs: 'too little is known to compute it',
  insufficient_data: 'too little is known to compute it',
  not_collected: 'not collected here',
  no_hud_rent: 'no HUD rent for this place',
  not_applicable: 'does not apply',
  not_yet_observed: 'not seen yet',
  suppressed_by_policy: 'not shown here',
  suppressed_by_owner: 'not shown here',
  proxy_out_of_range: 'too dear for HUD rents to check',
  parse_failed: 'could not be read',
  pending_parcel_lookup: 'address not looked up yet',
  no_arv_basis: 'no basis for a resale value',
};

export const absenceWords = (reason: string): string => absences[reason] ?? 'not known';
