/*
 * The tables of the service specification, word for word, and its running text on records and documents as tables. The
 * service is tested against them.
 */

/** A row, by column names. */
export type Row = Readonly<Record<string, string>>;

/** The deal record. Source: "Deal record (deals feed)". */
export const dealFields = `
| Field | Type / format | Meaning |
|---|---|---|
| id | string, UUID | Deal identifier; used in the report path |
| address | string | Street address |
| city | string | City |
| state | string | Two-letter state code |
| zip | string | Postal code |
| source | string | Name of the listing marketplace the deal came from |
| listing_url | string, URL | Link to the original listing |
| list_price | decimal string, USD | Asking price |
| units | integer | Number of units |
| cap_rate | decimal string, percent | Advertised cap rate |
| noi | decimal string, USD | Net operating income used for the listing |
| noi_source | enum | stated, derived_from_advertised_cap, underwritten |
| market_rent_2br | decimal string, USD | Market two-bedroom rent (HUD-based proxy) |
| noi_underwritten | decimal string, USD | NOI under the service's underwriting |
| cap_rate_underwritten | decimal string, percent | Cap rate under the HUD-based underwrite |
| dscr | decimal string | Debt-service coverage ratio under declared assumptions |
| dscr_status | enum | computed, insufficient_data, not_applicable |
| deal_score | integer 0-100 | Composite of yield, DSCR, motivation and distress cross-reference; the feed is sorted by it |
| confidence_score | decimal string 0-1 | Share of the record that is computed or verified rather than assumed; drops when the HUD underwrite proxy does not fit |
| why_this_is_interesting | string | One plain-language line; leads with the claimed-vs-HUD cap divergence when material |
| cap_gap_pct | decimal string, percentage points | Claimed cap minus HUD-underwritten cap; positive means the broker claims higher, negative means hidden upside |
| underwrite_reliability | enum | ok, proxy_out_of_range, unknown. proxy_out_of_range means price per unit is too high for the HUD 2BR-rent proxy, so the underwritten cap is not trustworthy for that record |
| rental_status | enum | Hot, Warm, Pass (rental path status) |
| motivation_score | integer | Count of motivation signals |
| last_verified | timestamp | Last verification time |
| price_reduction_pct | number | Price drop observed across the service's own runs (populates going forward); not the listing's own price history |
| days_on_feed | integer, whole days | Days since the service first sourced the listing; not market days-on-market |
`;

/** The signal record. Source: "Signal record (signals feed)". */
export const signalFields = `
| Field | Type / format | Meaning |
|---|---|---|
| signal_type | string | For example tax_delinquent |
| county | string | County and state label |
| address | string | Street address; may be missing |
| owner_name | string | Owner of record |
| parcel_id | string | Parcel identifier |
| amount | decimal string, USD | Delinquent amount |
| source_url | string, URL | Public-record source for the row |
| last_seen | timestamp | Last time the row was seen |
| has_address | boolean | True when a street address is present (row is mail-ready) |
| address_status | string | pending_parcel_lookup when there is no street address yet |
`;

/** The auction record. Source: "Auction record (auctions feed)". */
export const auctionFields = `
| Field | Type / format |
|---|---|
| auction_type | string (sheriff_sale) |
| county | string |
| sale_date | date |
| property_address | string |
| city | string |
| appraised_value | decimal string, USD |
| opening_bid | decimal string, USD (opening-bid floor) |
| plaintiff | string |
| source_url | string, URL (official source) |
`;

/** Enumerations of a deal record. Source: "States and transitions". */
export const dealStates = `
| Attribute | Allowed values |
|---|---|
| rental_status (also the status filter) | Hot, Warm, Pass |
| dscr_status | computed, insufficient_data, not_applicable |
| noi_source | stated, derived_from_advertised_cap, underwritten |
| underwrite_reliability | ok, proxy_out_of_range, unknown |
`;

/** The operations on data, with their prices. Source: "Endpoints". */
export const endpoints = `
| Path | Price per call | Query / path parameters | Response |
|---|---|---|---|
| /api/meta | free, no payment | none | Discovery metadata object |
| /api/deals | $0.05 | state (string, two letters), city (string), min_price (number), max_price (number), min_cap (number, minimum advertised cap rate in percent), min_units (integer), max_units (integer), min_score (integer, minimum deal_score 0-100), status (Hot, Warm or Pass) | Array of active deal records ranked by deal_score descending, with typed underwriting and intelligence fields. A filter returns only the matching slice at the same price |
| /api/deals/hot | $0.02 | none | Deals with advertised cap of 8.5% or more and computed DSCR |
| /api/signals | $0.03 | county (string, substring match), signal_type (string), min_amount (number, USD), has_address (boolean; true returns only rows with a street address) | Signal records ranked by amount, with typed address_status and schema notes |
| /api/auctions | $0.03 | county (string, substring), from_date, to_date, min_appraised, include_past (true includes past sales) | Auction records; defaults to future sales only |
| /api/deals/{id}/report | $1.50 | id (path, required, string UUID: the id of a deal record; the literal placeholder must not be sent) | Full report for one deal |
| /api/lookup | $0.02 | address (query) | see gap list |
| /api/deals/basic | $0.01 | see gap list | see gap list |
| /api/leads | $0.25 | see gap list | see gap list |
| /api/leads/exclusive | $1.00 | see gap list | see gap list |
| /api/deals/ids | free | see gap list | see gap list |
`;

/** Replies to wrong requests. Source: "Errors". */
export const errors = `
| Status | Endpoint | Condition | Billed |
|---|---|---|---|
| 400 | /api/deals/{id}/report | id is not a valid UUID (including the literal placeholder) | no |
| 402 | every paid endpoint | payment required (x402 v2) | n/a |
| 404 | /api/deals/{id}/report | no deal with that id | no |
| 404 | filtered paid queries | no records match; body carries a typed reason | no |
`;

/** Fields of a sheriff-sale lead in addition to the auction fields. Source: "Lead record (leads feed)", as a table. */
export const leadFields = `
| Field | Type / format |
|---|---|
| lead_type | string (sheriff_sale_auction) |
| lead_score | integer |
| score_rationale | object (base, equity_gap, urgency) |
| address | string |
`;

/** The members of GET /api/meta. Source: "Discovery metadata", as a table. */
export const metadataFields = `
| Field | Type / format |
|---|---|
| name | string |
| description | string |
| guarantee | string |
| coverage | object (total_records, active_records, hot, warm, dscr_computed, cities, freshest_verification, oldest_active_verification) |
| coverage.total_records | integer |
| coverage.active_records | integer |
| coverage.hot | integer |
| coverage.warm | integer |
| coverage.dscr_computed | integer |
| coverage.cities | integer |
| coverage.freshest_verification | timestamp |
| coverage.oldest_active_verification | timestamp |
| refresh_cadence | string |
| pricing | object (protocol, network) |
| record_schema_notes | object |
| filters | object (note, params, example) |
| filters.note | string |
| filters.params | array |
| filters.example | string |
| signals_feed | object (note, coverage, filters) |
| signals_feed.note | string |
| signals_feed.coverage | object (total_signals, with_address, counties, freshest) |
| signals_feed.filters | array |
| free_samples | object (deals, signals, auctions, leads) |
| free_samples.deals | array |
| free_samples.signals | array |
| free_samples.auctions | array |
| free_samples.leads | array |
| auctions_feed | object (note, coverage, filters) |
| auctions_feed.note | string |
| auctions_feed.coverage | object (upcoming_sales, next_sale_date, furthest_sale_date, counties, freshest) |
| auctions_feed.filters | array |
| example_report | object (note, url, property) |
| example_report.note | string |
| example_report.url | string |
| example_report.property | string |
| generated_at | timestamp |
`;

/** The members of the response to a placeholder. Source: "Template response", as a table. */
export const templateFields = `
| Field | Type / format |
|---|---|
| note | string |
| how_to | string |
| price | string |
| live_examples | array |
| live_examples.0.url | string |
| live_examples.0.property | string |
| free_id_index | string |
| note_billing | string |
`;

/** The rows of a table. */
export function readRows(table: string): readonly Row[] {
  const [names = [], , ...rows] = table.trim().split('\n').map(readCells);
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

function readCells(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}
