import type { MappableField } from '../../sources/formats/listing-fields.js';
import { readTable } from '../../project-file.js';
import { demoMetros, type DemoPlace } from './demo-places.js';
import type { Draw } from './seeded-draw.js';

/** The columns of one row by our field names, as a broker would write them. */
export type DemoFields = Partial<Record<MappableField, string>>;

/** The facts of a property before its scenario adds to them. Money in whole USD, rates in percent. */
export interface DemoFacts {
  readonly place: DemoPlace;
  readonly price: number;
  readonly units: number;
  readonly capUnderwritten: number;
  readonly draw: Draw;
}

const money = (amount: number) => String(Math.round(amount));
const motivated = [
  'Motivated seller, bring all offers.',
  'Seller says sell, price reduced for a quick closing.',
] as const;

/** The fields that a scenario adds to a listing, by its name. */
const fieldsOf: Readonly<Record<string, (facts: DemoFacts) => DemoFields>> = {
  placeholder_price: ({ draw }) => ({ listPrice: draw.pick(['1', '1234567', '99999999']) }),
  wrong_type: () => ({ propertyType: 'Duplex' }),
  zip_of_another_state: ({ place }) => ({
    zip: demoMetros.flat().find(({ state }) => state !== place.state)?.zip ?? '',
  }),
  // Nearly each state has a county of this name, far from its metro.
  zip_of_another_county: () => ({ county: 'Washington' }),
  unreadable_noi: () => ({ noi: 'see remarks' }),
  some_expenses: ({ price, draw }) => ({ expenseItems: `taxes: ${money(price * draw.between(0.012, 0.025))}` }),
  stated_noi: ({ price, capUnderwritten }) => ({ noi: money((price * capUnderwritten) / 100) }),
  noi_without_cap: ({ price, capUnderwritten }) => ({
    noi: `$${Math.round((price * capUnderwritten) / 100).toLocaleString('en-US')}`,
  }),
  cap_and_noi_disagree: ({ price, capUnderwritten }) => ({ noi: money((price * capUnderwritten) / 140) }),
  no_price: ({ draw }) => ({ listPrice: draw.pick(['', 'Call for offers']) }),
  no_units: () => ({ units: '', propertyType: '' }),
  nothing_stated: () => ({ listPrice: 'Unpriced', units: 'N/A', listingUrl: '' }),
  cash_auction: ({ draw }) => ({
    saleCondition: 'Auction',
    terms: 'Cash only',
    condition: draw.pick(['poor', 'fair', '']),
  }),
  financed_auction: () => ({ saleCondition: 'Auction', terms: 'Cash;Conventional' }),
  wholesale: ({ draw }) => ({
    remarks: `${draw.pick(motivated)} Light turnover work only.`,
    condition: 'good',
    yearBuilt: money(draw.whole(1995, 2015)),
  }),
  seller_carry: ({ draw }) => ({
    terms: draw.pick([
      'Owner will carry',
      'Owner may carry;Conventional',
      'Land contract',
      'Lease option',
      'All inclusive trust deed',
    ]),
    remarks: 'Owner financing available with 10% down.',
  }),
  assumable: ({ price, draw }) => ({
    terms: 'Assumable;Conventional',
    loanBalance: money(price * draw.between(0.35, 0.7)),
    loanRatePct: draw.between(3, 4.4).toFixed(3),
  }),
  estate: ({ draw }) => ({
    saleCondition: 'Estate',
    remarks: `Estate sale, sold as-is. ${draw.pick(motivated)}`,
    condition: 'fair',
  }),
  distressed: ({ draw, price }) => ({
    saleCondition: draw.pick(['Bank owned', 'Short sale', 'Standard']),
    condition: 'Distressed',
    vacancyPct: draw.between(26, 65).toFixed(1),
    assessedValue: money(price * draw.between(1.1, 1.5)),
    remarks: 'Needs full rehab, sold as-is to a cash or hard-money buyer.',
  }),
  documented: ({ price, capUnderwritten, draw }) => ({
    utilitiesPaidBy: draw.pick(['Owner', 'Tenant']),
    noi: money((price * capUnderwritten) / 100),
    operatingExpenses: money((price * capUnderwritten) / 125),
    taxes: money(price * draw.between(0.012, 0.025)),
    vacancyPct: `${draw.between(2, 8).toFixed(1)}%`,
    assessedValue: money(price * draw.between(0.7, 0.95)),
    condition: 'Good',
  }),
  nowhere: () => ({ zip: '', county: '' }),
  undisclosed_address: () => ({ address: 'Undisclosed' }),
  suppressed_address: () => ({ addressDisplay: 'N' }),
  unreadable_values: ({ draw }) =>
    draw.pick<DemoFields>([
      { listPrice: '1.1M to 1.3M' },
      { units: '4-6' },
      { capRate: '0.085' },
      { capRate: 'upper eights', noi: 'about 40k' },
      { zip: '4410', county: '', yearBuilt: '19O5' },
      { propertyType: 'Walk-up', listingUrl: 'see remarks', vacancyPct: 'low' },
      { county: '\u2066Unreadable', condition: 'lovely', taxes: 'paid' },
      { assessedValue: '12,34', loanBalance: 'tbc', loanRatePct: 'variable', operatingExpenses: 'normal' },
      { address: '12\u202e Backward St', parcelId: 'x'.repeat(80), remarks: '\u200b' },
    ]),
};

const range = /^-?[\d.]+ -?[\d.]+$/;
const optionalRange = /^(-?[\d.]+ -?[\d.]+)?$/;

/** The kinds of listings; see the table for the meaning of each column. */
export const demoScenarios = readTable('src/demo/data/demo-scenarios.csv', {
  name: /^\w+$/,
  weight: /^\d+$/,
  multiple: range,
  cap_gap: optionalRange,
  units: optionalRange,
  feed: /^(auctions|lakes)?$/,
}).map(({ name, weight, multiple, cap_gap: capGap, units, feed }) => ({
  name,
  weight: Number(weight),
  multiple: rangeOf(multiple),
  capGap: capGap === '' ? undefined : rangeOf(capGap),
  units: units === '' ? undefined : rangeOf(units),
  feed: feed === '' ? undefined : (feed as 'auctions' | 'lakes'),
  fields: fieldsOf[name],
}));

export type DemoScenario = (typeof demoScenarios)[number];

function rangeOf(text: string): [number, number] {
  const [low = 0, high = 0] = text.split(' ').map(Number);
  return [low, high];
}
