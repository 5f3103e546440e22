import type { MappableField } from '../../sources/formats/listing-fields.js';
import type { Draw } from './seeded-draw.js';

/** The columns of one row by our field names, as a broker would write them. */
export type DemoFields = Partial<Record<MappableField, string>>;

/** The facts of a property before its scenario adds to them. Money in whole USD, rates in percent. */
export interface DemoFacts {
  readonly price: number;
  readonly units: number;
  readonly capUnderwritten: number;
  readonly draw: Draw;
}

/** One kind of listing, so that each case of underwriting and scoring occurs. */
export interface DemoScenario {
  readonly name: string;
  /** Number of listings of this kind in each round. */
  readonly weight: number;
  /**
   * Price per unit divided by a year of HUD rent. 6 is a cap rate of about 8.5% on that rent; over 14 is out of the
   * proxy's range.
   */
  readonly multiple: readonly [number, number];
  /** Advertised cap rate minus the cap on HUD rent, in percentage points; undefined advertises no cap rate. */
  readonly capGap?: readonly [number, number];
  readonly units?: readonly [number, number];
  readonly place?: 'zip_without_rent' | 'outside';
  readonly feed?: 'auctions' | 'lakes';
  readonly fields?: (facts: DemoFacts) => DemoFields;
}

const money = (amount: number) => String(Math.round(amount));
const motivated = [
  'Motivated seller, bring all offers.',
  'Seller says sell, price reduced for a quick closing.',
] as const;

export const demoScenarios: readonly DemoScenario[] = [
  { name: 'ordinary', weight: 10, multiple: [5.8, 8.5], capGap: [-0.6, 0.8] },
  { name: 'strong', weight: 5, multiple: [4.4, 5.7], capGap: [-0.4, 0.4] },
  {
    name: 'stated_noi',
    weight: 4,
    multiple: [5.2, 8],
    capGap: [-0.3, 0.3],
    fields: ({ price, capUnderwritten }) => ({ noi: money((price * capUnderwritten) / 100) }),
  },
  {
    name: 'noi_without_cap',
    weight: 2,
    multiple: [5.2, 8],
    fields: ({ price, capUnderwritten }) => ({
      noi: `$${Math.round((price * capUnderwritten) / 100).toLocaleString('en-US')}`,
    }),
  },
  {
    name: 'cap_and_noi_disagree',
    weight: 1,
    multiple: [6, 8],
    capGap: [0.5, 1],
    fields: ({ price, capUnderwritten }) => ({ noi: money((price * capUnderwritten) / 140) }),
  },
  { name: 'inflated_cap', weight: 5, multiple: [7.5, 11], capGap: [3.1, 5.2] },
  { name: 'hidden_upside', weight: 4, multiple: [4.2, 5.4], capGap: [-3.4, -1.4] },
  { name: 'out_of_range', weight: 4, multiple: [15, 22], capGap: [1.4, 2.6] },
  { name: 'no_income', weight: 3, multiple: [5, 9] },
  {
    name: 'no_price',
    weight: 2,
    multiple: [6, 8],
    capGap: [0, 0.5],
    fields: ({ draw }) => ({ listPrice: draw.pick(['', 'Call for offers']) }),
  },
  { name: 'no_units', weight: 2, multiple: [6, 8], capGap: [0, 0.5], fields: () => ({ units: '', propertyType: '' }) },
  { name: 'nothing_stated', weight: 1, multiple: [6, 8], fields: () => ({ listPrice: 'Unpriced', units: 'N/A' }) },
  { name: 'cheap', weight: 3, multiple: [2.6, 3.6], units: [2, 2], capGap: [-2, 0] },
  { name: 'suspect_units', weight: 1, multiple: [1.1, 2.2], units: [6, 9], capGap: [-16, -10] },
  {
    name: 'cash_auction',
    weight: 3,
    multiple: [3.4, 6],
    feed: 'auctions',
    fields: ({ draw }) => ({
      saleCondition: 'Auction',
      terms: 'Cash only',
      condition: draw.pick(['poor', 'fair', '']),
    }),
  },
  {
    name: 'financed_auction',
    weight: 1,
    multiple: [4, 6],
    feed: 'auctions',
    fields: () => ({ saleCondition: 'Auction', terms: 'Cash;Conventional' }),
  },
  {
    name: 'wholesale',
    weight: 3,
    multiple: [2.6, 3.3],
    units: [8, 20],
    capGap: [-9, -6],
    fields: ({ draw }) => ({
      remarks: `${draw.pick(motivated)} Light turnover work only.`,
      condition: 'good',
      yearBuilt: money(draw.whole(1995, 2015)),
    }),
  },
  {
    name: 'seller_carry',
    weight: 4,
    multiple: [4.4, 6],
    capGap: [-0.5, 0.5],
    fields: ({ draw }) => ({
      terms: draw.pick([
        'Owner will carry',
        'Owner may carry;Conventional',
        'Land contract',
        'Lease option',
        'All inclusive trust deed',
      ]),
      remarks: 'Owner financing available with 10% down.',
    }),
  },
  {
    name: 'assumable',
    weight: 2,
    multiple: [5, 7],
    capGap: [-0.5, 0.5],
    fields: ({ price, draw }) => ({
      terms: 'Assumable;Conventional',
      loanBalance: money(price * draw.between(0.35, 0.7)),
      loanRatePct: draw.between(3, 4.4).toFixed(3),
    }),
  },
  {
    name: 'estate',
    weight: 2,
    multiple: [4.8, 6.5],
    capGap: [-0.5, 1],
    fields: ({ draw }) => ({
      saleCondition: 'Estate',
      remarks: `Estate sale, sold as-is. ${draw.pick(motivated)}`,
      condition: 'fair',
    }),
  },
  {
    name: 'distressed',
    weight: 3,
    multiple: [3.6, 5],
    capGap: [-3, 0],
    fields: ({ draw, price }) => ({
      saleCondition: draw.pick(['Bank owned', 'Short sale', 'Standard']),
      condition: 'Distressed',
      vacancyPct: draw.between(26, 65).toFixed(1),
      assessedValue: money(price * draw.between(1.1, 1.5)),
      remarks: 'Needs full rehab, sold as-is to a cash or hard-money buyer.',
    }),
  },
  {
    name: 'documented',
    weight: 4,
    multiple: [5.2, 7.2],
    capGap: [-0.3, 0.3],
    fields: ({ price, capUnderwritten, draw }) => ({
      noi: money((price * capUnderwritten) / 100),
      operatingExpenses: money((price * capUnderwritten) / 125),
      taxes: money(price * draw.between(0.012, 0.025)),
      vacancyPct: `${draw.between(2, 8).toFixed(1)}%`,
      assessedValue: money(price * draw.between(0.7, 0.95)),
      condition: 'Good',
    }),
  },
  { name: 'no_zip', weight: 2, multiple: [5.4, 7.5], capGap: [-0.5, 0.5], fields: () => ({ zip: '' }) },
  { name: 'nowhere', weight: 1, multiple: [5.4, 7.5], capGap: [-0.5, 0.5], fields: () => ({ zip: '', county: '' }) },
  { name: 'zip_without_rent', weight: 3, multiple: [5.4, 7.5], capGap: [-0.5, 0.5], place: 'zip_without_rent' },
  { name: 'outside', weight: 1, multiple: [5.4, 7.5], capGap: [0, 1], place: 'outside' },
  {
    name: 'undisclosed_address',
    weight: 1,
    multiple: [5.4, 7.5],
    capGap: [0, 1],
    fields: () => ({ address: 'Undisclosed' }),
  },
  {
    name: 'suppressed_address',
    weight: 2,
    multiple: [5.4, 7.5],
    capGap: [0, 1],
    feed: 'lakes',
    fields: () => ({ addressDisplay: 'N' }),
  },
  {
    name: 'unreadable_values',
    weight: 2,
    multiple: [5.4, 7.5],
    fields: ({ draw }) =>
      draw.pick<DemoFields>([
        { listPrice: '1.2M' },
        { units: '4-6' },
        { capRate: '0.085' },
        { capRate: 'upper eights', noi: 'about 40k' },
        { zip: '4410', yearBuilt: '19O5' },
        { propertyType: 'Walk-up', listingUrl: 'see remarks', vacancyPct: 'low' },
        { county: '\u2066Unreadable', condition: 'lovely', taxes: 'paid' },
        { assessedValue: '12,34', loanBalance: 'tbc', loanRatePct: 'variable', operatingExpenses: 'normal' },
        { address: '12\u202e Backward St', parcelId: 'x'.repeat(80), remarks: '\u200b' },
      ]),
  },
];
