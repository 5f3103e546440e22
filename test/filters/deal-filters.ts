import type { Deal } from '../../generated/types.gen.js';
import { amount, anyCase, isAmong, isAtLeast, isAtMost, moments, placeFilters, type Filter } from './filter-values.js';
import { labelOfCounty } from '../../src/places/metros/county-label.js';
import { capGapOf, capUnderwrittenOf, cutOf, dscrOf, pricePerUnitOf, standing } from './figures-of-deals.js';
import { cities } from './generated-records.js';
import { foldCity } from './reference-order.js';

const whole = amount('0', '1', '2', '3', '4', '4.0', '5e0', '60', '61', '100000');
const perUnit = amount('0', '4999.99', '50000', '62499.99', '62500', '62500.0001', '83333.33', '250000', '1e12');
const years = amount('1700', '1925', '1926', '1926.0', '1990', '2100');
const days = amount('0', '1', '2', '3', '30', '36500');
/** When the generated records were read the second time. */
const noon = '2026-11-22T18:00:00.000Z';
const statuses = amount('Hot', 'Warm', 'Pass', 'Pass,Hot', 'Hot,Hot,Warm');
const prices = amount('0', '74999', '249999.99', '250000', '25e4', '250000.005', '250000.01', '1200000', '1e12');
export const dealFilters: Readonly<Record<string, Filter<Deal>>> = {
  ...placeFilters((deal: Deal) => ({
    state: deal.state,
    zip: standing(deal.zip, deal, 'zip'),
    // No generated deal states its county: it is that of its ZIP.
    county: deal.county === null ? null : standing(labelOfCounty(deal.county, deal.state), deal, 'zip'),
  })),
  city: { values: anyCase(...cities, 'Nowhere'), meets: ({ city }, asked) => foldCity(city) === foldCity(asked) },
  min_price: { values: prices, meets: ({ list_price: price }, least) => isAtLeast(price, least) },
  max_price: { values: prices, meets: ({ list_price: price }, most) => isAtMost(price, most) },
  min_cap: {
    values: amount('0', '8.49', '8.5', '8.50', '85e-1', '8.501', '8.51', '12', '100'),
    meets: ({ cap_rate: cap }, least) => isAtLeast(cap, least),
  },
  min_units: { values: whole, meets: ({ units }, least) => isAtLeast(units, least) },
  max_units: { values: whole, meets: ({ units }, most) => isAtMost(units, most) },
  min_score: {
    values: amount('0', '10', '20', '30', '55', '100'),
    meets: ({ deal_score: score }, least) => isAtLeast(score, least),
  },
  status: {
    values: statuses,
    meets: ({ rental_status: status }, list) => isAmong(status, list),
  },
  min_price_per_unit: { values: perUnit, meets: (deal, least) => isAtLeast(pricePerUnitOf(deal), least) },
  max_price_per_unit: { values: perUnit, meets: (deal, most) => isAtMost(pricePerUnitOf(deal), most) },
  min_dscr: {
    values: amount('0', '0.5', '1', '1.25', '125e-2', '1.251', '100'),
    meets: (deal, least) => isAtLeast(dscrOf(deal), least),
  },
  min_confidence: {
    values: amount('0', '0.3', '0.405', '0.5', '0.51', '1'),
    meets: ({ confidence_score: confidence }, least) => isAtLeast(confidence, least),
  },
  min_cap_underwritten: {
    values: amount('0', '4.99', '5', '7.005', '8', '100'),
    meets: (deal, least) => isAtLeast(capUnderwrittenOf(deal), least),
  },
  max_cap_gap: {
    values: amount('-100', '-1', '0', '1', '1.005', '5', '100'),
    meets: (deal, most) => isAtMost(capGapOf(deal), most),
  },
  min_year_built: { values: years, meets: ({ year_built: year }, least) => isAtLeast(year, least) },
  max_year_built: { values: years, meets: ({ year_built: year }, most) => isAtMost(year, most) },
  min_days_on_feed: { values: days, meets: ({ days_on_feed: count }, least) => isAtLeast(count, least) },
  max_days_on_feed: { values: days, meets: ({ days_on_feed: count }, most) => isAtMost(count, most) },
  min_price_cut_pct: {
    values: amount('0', '5', '9.9', '9.95', '10', '10.01', '100'),
    meets: (deal, least) => isAtLeast(standing(deal.price_reduction_pct, deal, 'list_price'), least),
  },
  min_price_cut: {
    values: amount('0', '499.99', '7499.9', '25000', '25000.01', '1e12'),
    meets: (deal, least) => isAtLeast(cutOf(deal), least),
  },
  wholesale_status: { values: statuses, meets: ({ wholesale_status: status }, list) => isAmong(status, list) },
  creative_status: { values: statuses, meets: ({ creative_status: status }, list) => isAmong(status, list) },
  reliability: {
    values: amount('ok', 'unknown', 'unknown,proxy_out_of_range', 'ok,unknown'),
    meets: ({ underwrite_reliability: reliability }, list) => isAmong(reliability, list),
  },
  property_type: {
    values: amount('duplex', 'triplex,mixed_use', 'multifamily_5_plus', 'portfolio'),
    meets: ({ property_type: type }, list) => isAmong(type, list),
  },
  first_seen_since: {
    values: moments,
    meets: ({ days_on_feed: count }, since) => Date.parse(noon) - count * 86_400_000 >= Date.parse(since),
  },
  price_cut_since: {
    values: moments,
    meets: (deal, since) => Number(cutOf(deal) ?? 0) > 0 && Date.parse(noon) >= Date.parse(since),
  },
};
