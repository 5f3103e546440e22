import type * as Wire from '../../../generated/types.gen.js';
import { absent, isKnown, known, type Maybe } from '../../absence.js';
import type { Report } from '../../deals/reports/report.js';
import { createAbsence } from '../absence.js';

const hud = 'US Department of Housing and Urban Development';
const smallAreaPage = 'https://www.huduser.gov/portal/datasets/fmr/smallarea/index.html';
const countyPage = 'https://www.huduser.gov/portal/datasets/fmr.html';
const here = 'this service';
const noPage = absent('not_applicable');

/** The origin of a report's figures, in groups of fields that have a value. */
export function composeProvenance(
  { underwriting, unitMix, statedTotal, isCountyStated, isCapRateProForma, scoredOn, assumptions }: Report,
  deal: Wire.Deal,
): Wire.ReportProvenance[] {
  const stated = [
    ...listingFields.filter((field) => !(isCapRateProForma && field === 'cap_rate')),
    ...(isCountyStated ? ['county' as const] : []),
    ...(deal.noi_source === 'stated' ? ['noi' as const] : []),
  ];
  const computed = isCountyStated ? computedFields : [...computedFields, 'county' as const];
  const listedOn = deal.last_verified.slice(0, 10);
  const listing = deal.listing_url === null ? absent(reasonOf(deal)) : known(deal.listing_url);
  const { rent, noi } = underwriting;
  const statement = [
    ...(isKnown(unitMix) ? ['underwriting.unit_mix'] : []),
    ...(underwriting.statedLines.length > 0 ? ['underwriting.stated_lines'] : []),
    ...(isKnown(statedTotal) ? ['underwriting.stated_operating_expenses'] : []),
  ];
  const hudFields = ['market_rent_2br', ...(isKnown(unitMix) ? ['underwriting.unit_mix.market_rent'] : [])];
  const rentYear = isKnown(rent) ? `FY${rent.value.fiscalYear}` : assumptions.effectiveFrom;
  return [
    group([...presentIn(deal, stated), ...statement], deal.source, 'stated_by_source', listedOn, listing),
    ...(isCapRateProForma && deal.cap_rate !== null
      ? [group(['cap_rate'], deal.source, 'pro_forma', listedOn, listing)]
      : []),
    ...(deal.noi_source === 'derived_from_advertised_cap'
      ? [group(['noi'], here, 'derived_from_advertised_cap', listedOn, noPage)]
      : []),
    ...(isKnown(rent)
      ? [group(hudFields, hud, `hud_${rent.value.basis}`, rentYear, known(hudPageOf(rent.value.basis)))]
      : []),
    group(
      [
        ...presentIn(deal, underwrittenFields),
        ...(deal.noi_source === 'underwritten' && isKnown(noi) ? ['noi'] : []),
        'underwriting',
      ],
      here,
      'underwritten',
      rentYear,
      noPage,
    ),
    group(['underwriting.assumption_set'], here, 'assumed', assumptions.effectiveFrom, noPage),
    group(
      [...presentIn(deal, observedFields), 'sources', 'price_history'],
      here,
      'observed_by_this_service',
      scoredOn,
      noPage,
    ),
    group([...presentIn(deal, computed), ...computedSections], here, 'computed', scoredOn, noPage),
  ];
}

type DealField = keyof Wire.Deal;

const listingFields: readonly DealField[] = [
  'address',
  'city',
  'state',
  'zip',
  'listing_url',
  'list_price',
  'units',
  'cap_rate',
  'property_type',
  'year_built',
];
const underwrittenFields: readonly DealField[] = ['noi_underwritten', 'cap_rate_underwritten'];
const observedFields: readonly DealField[] = ['last_verified', 'price_reduction_pct', 'days_on_feed'];
const computedFields: readonly DealField[] = [
  'noi_source',
  'cap_gap_pct',
  'dscr',
  'dscr_status',
  'underwrite_reliability',
  'deal_score',
  'confidence_score',
  'rental_status',
  'wholesale_status',
  'creative_status',
  'motivation_score',
  'why_this_is_interesting',
];
const computedSections = ['scoring', 'offer_range', 'market'] as const;

function hudPageOf(basis: string): string {
  return basis.startsWith('safmr') ? smallAreaPage : countyPage;
}

function presentIn(deal: Wire.Deal, fields: readonly DealField[]): string[] {
  return fields.filter((field) => deal[field] !== null);
}

function reasonOf(deal: Wire.Deal) {
  return deal.absent.listing_url?.reason ?? 'not_published_by_source';
}

function group(
  fields: readonly string[],
  source: string,
  basis: Wire.InputBasis,
  asOf: string,
  sourceUrl: Maybe<string>,
): Wire.ReportProvenance {
  const { absentFields, take } = createAbsence<Wire.ReportProvenance['absent']>();
  return {
    fields: [...fields],
    source,
    basis,
    as_of: asOf,
    source_url: take('source_url', sourceUrl),
    absent: absentFields,
  };
}
