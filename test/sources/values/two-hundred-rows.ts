import type { MappableField } from '../../../src/sources/formats/listing-fields.js';
import type { ValueCode } from '../../../src/sources/values/not-understood.js';

/** How a value is read: what it means, that it is not stated, why it is not understood, or why its row is refused. */
export type Expected =
  { readonly is: unknown } | { readonly code: ValueCode } | { readonly refused: string } | 'not stated';

export interface SheetRow {
  readonly field: MappableField;
  readonly text: string;
  readonly expected: Expected;
  /** Other columns of the row. */
  readonly beside?: Readonly<Partial<Record<MappableField, string>>>;
}

type Texts = Readonly<Record<string, unknown>>;

const read = (field: MappableField, texts: Texts, beside = {}): SheetRow[] =>
  Object.entries(texts).map(([text, is]) => ({ field, text, expected: { is }, beside }));
const failed = (field: MappableField, code: ValueCode, texts: readonly string[], beside = {}): SheetRow[] =>
  texts.map((text) => ({ field, text, expected: { code }, beside }));
const refused = (field: MappableField, reason: string, texts: readonly string[]): SheetRow[] =>
  texts.map((text) => ({ field, text, expected: { refused: reason } }));
const notStated = (field: MappableField, texts: readonly string[], beside = {}): SheetRow[] =>
  texts.map((text) => ({ field, text, expected: 'not stated', beside }));

/** Two hundred rows as spreadsheets, brokers and counties write them; each has one odd value. */
export const sheet: readonly SheetRow[] = [
  ...read('listPrice', {
    '389000': '389000',
    '$389,000': '389000',
    '$ 389,000': '389000',
    '389 000': '389000',
    '389\u00a0000': '389000',
    '389\u202f000': '389000',
    'USD 389,000': '389000',
    usd389000: '389000',
    '389,000 USD': '389000',
    '389,000 $': '389000',
    '389000$': '389000',
    '389K': '389000',
    $389k: '389000',
    '1.2M': '1200000',
    '$1.25 m': '1250000',
    '3.89E+5': '389000',
    '3.89e5': '389000',
    '389000.00': '389000',
    '389000.005': '389000.01',
    '389,000.994': '389000.99',
    '1,234,567': '1234567',
    '1 234 567.50': '1234567.5',
  }),
  ...failed('listPrice', 'range', ['350,000 - 389,000', '$350k-$389k', '350000 to 389000', '350000\u2013389000']),
  ...failed('listPrice', 'grouping', ['1234,5', '389.000', '389.000,00', '1,23,000', '38,90', "389'000", '389 00']),
  ...failed('listPrice', 'negative', ['-389000', '-$389,000', '(389,000)', '\u2212389000']),
  ...failed('listPrice', 'not_a_number', ['call us', '\u20ac389,000', '389,000 or best offer', '0x10', '389B']),
  ...failed('listPrice', 'digits_lost', ['1.23457E+6']),
  ...failed('listPrice', 'out_of_range', ['0.5', '99999999999', '1e21']),
  ...read('noi', {
    '(12,400)': '-12400',
    '($12,400)': '-12400',
    '-12400': '-12400',
    '-$12,400.50': '-12400.5',
    '$(1,200)': '-1200',
    '31.2K': '31200',
  }),
  ...failed('noi', 'not_a_number', ['see remarks', '31,200/yr net']),
  ...read('taxes', { '5,210.456': '5210.46', '$5,210': '5210', '5.2k': '5200' }),
  ...failed('taxes', 'negative', ['(5,210)']),
  ...read('capRate', {
    '9.4': '9.4',
    '9.4%': '9.4',
    '9.4 %': '9.4',
    '~9.4%': '9.4',
    '~ 9.4': '9.4',
    '9.4% pro forma': '9.4',
    '9.4% (Pro Forma)': '9.4',
    'Pro-forma 9.4': '9.4',
    '100': '100',
  }),
  ...failed('capRate', 'fraction_or_percent', ['0.094', '0.94%', '0.5']),
  ...failed('capRate', 'out_of_range', ['101', '940%']),
  ...failed('capRate', 'range', ['8-9', '8.5% - 9%', '8 to 9']),
  ...failed('capRate', 'grouping', ['9,4']),
  ...failed('capRate', 'negative', ['-9.4']),
  ...failed('capRate', 'not_a_number', ['nine', 'strong']),
  ...read('vacancyPct', { '0': '0', '0%': '0', '5': '5', '12.5%': '12.5', '100': '100', '0.5%': '0.5' }),
  ...failed('vacancyPct', 'fraction_or_percent', ['0.05', '0.125']),
  ...failed('vacancyPct', 'out_of_range', ['100.1']),
  ...failed('vacancyPct', 'negative', ['-5']),
  ...read('units', {
    '6': 6,
    '6 units': 6,
    '6 Unit': 6,
    '6-unit': 6,
    six: 6,
    Six: 6,
    'six units': 6,
    twenty: 20,
    '6.0': 6,
    '6.00': 6,
    '1,200': 1200,
  }),
  ...failed('units', 'range', ['4-6', '4 to 6', '4\u20136']),
  ...failed('units', 'open_ended', ['6+', '6+ units', '6 +']),
  ...failed('units', 'negative', ['-6']),
  ...failed('units', 'out_of_range', ['100001']),
  ...failed('units', 'not_a_number', ['6.5', 'thirty', 'several']),
  ...read('state', { OH: 'OH', oh: 'OH', Ohio: 'OH', OHIO: 'OH', 'new york': 'NY', 'District of Columbia': 'DC' }),
  ...read('state', { PR: 'PR', 'Puerto Rico': 'PR', 'U.S. Virgin Islands': 'VI', 'Virgin Islands': 'VI', Guam: 'GU' }),
  ...refused('state', 'unknown_state', ['ZZ', 'AE', 'Ontario', 'Ohio, USA']),
  ...read('zip', {
    '44105': '44105',
    '44105-1234': '44105',
    '44105 1234': '44105',
    '441051234': '44105',
    "'44105": '44105',
    '44105.0': '44105',
  }),
  ...read('zip', { '6010': '06010', '6010.0': '06010', "'6010": '06010', '06010': '06010' }, { state: 'CT' }),
  ...read('zip', { '2139': '02139', '1002-1234': '01002' }, { state: 'MA' }),
  ...read('zip', { '8608': '08608' }, { state: 'NJ' }),
  ...read('zip', { '3301': '03301' }, { state: 'NH' }),
  ...read('zip', { '2903': '02903' }, { state: 'RI' }),
  ...read('zip', { '5401': '05401' }, { state: 'VT' }),
  ...read('zip', { '4101': '04101' }, { state: 'ME' }),
  ...read('zip', { '601': '00601', '907.0': '00907', '00926': '00926' }, { state: 'PR' }),
  ...failed('zip', 'zip_digits_lost', ['4410', '441', '4410.0']),
  ...failed('zip', 'zip_digits_lost', ['801', '6010'], { state: 'PR' }),
  ...failed('zip', 'zip_digits_lost', ['8608', '601'], { state: 'CT' }),
  ...failed('zip', 'not_a_zip', ['ABCDE', '44', '441055', '00000', 'OH 44105']),
  ...read('yearBuilt', {
    '1924': 1924,
    'c. 1924': 1924,
    'c.1924': 1924,
    'circa 1924': 1924,
    'Built 1924': 1924,
    '1924.0': 1924,
    '6/15/1924': 1924,
    '1924-06-15': 1924,
    '15-Jun-1924': 1924,
  }),
  ...failed('yearBuilt', 'not_a_year', ['1699', '2099', '24', "'24", '1920s', '1924 or 1926', 'old']),
  ...read('propertyType', {
    Quadruplex: 'fourplex',
    Quad: 'fourplex',
    Fourplex: 'fourplex',
    Duplex: 'duplex',
    'Multifamily 5-plus': 'multifamily_5_plus',
    'Mixed Use': 'mixed_use',
  }),
  ...read(
    'propertyType',
    { Multifamily: 'multifamily_5_plus', 'Multi-Family': 'multifamily_5_plus', 'Duplex/Multi': 'multifamily_5_plus' },
    { units: '12' },
  ),
  ...read('propertyType', { '2-4 Family': 'triplex' }, { units: '3' }),
  ...notStated('propertyType', ['Multifamily', '2-4 Family'], { units: '' }),
  ...failed('propertyType', 'unknown_type', ['Castle', 'Single Family']),
  ...read('terms', {
    'Seller Financing': ['owner_may_carry'],
    OWC: ['owner_will_carry'],
    'Owner Will Carry': ['owner_will_carry'],
    'Owner Carry': ['owner_may_carry'],
    'Contract for Deed': ['land_contract'],
    'Cash/Conventional': ['cash', 'conventional'],
    'Cash; OWC': ['cash', 'owner_will_carry'],
    'Cash, Assumable': ['cash', 'assumable'],
  }),
  ...failed('terms', 'unknown_term', ['Cash; VA', 'Bitcoin']),
  ...read('saleCondition', {
    REO: 'bank_owned',
    'Bank Owned': 'bank_owned',
    'bank-owned': 'bank_owned',
    Foreclosure: 'bank_owned',
    'Short Sale': 'short_sale',
    Probate: 'estate',
    Auction: 'auction',
    '': 'standard',
    '-': 'standard',
  }),
  ...refused('saleCondition', 'invalid_value', ['Raffle', 'Auction or best offer']),
  ...read('listingUrl', {
    'https://example.com/a': 'https://example.com/a',
    'www.example.com/a': 'https://www.example.com/a',
    'WWW.example.com': 'https://www.example.com/',
    'http://example.com/': 'http://example.com/',
  }),
  ...failed('listingUrl', 'not_a_url', ['example', 'ask the broker', 'javascript:alert(1)', 'ftp://example.com/']),
  ...notStated('listPrice', ['', '-', '\u2013', '\u2014', 'n/a', 'N/A', 'TBD', 'Call for price', '0']),
  ...read('parcelId', {
    '12345678901234567': '12345678901234567',
    '07-18-411-025-0000': '07-18-411-025-0000',
    '0012E45': '0012E45',
  }),
  ...failed('parcelId', 'digits_lost', ['1.23457E+13', '1E+13']),
  ...read('address', {
    '1200 Middle Ave': '1200 Middle Ave',
    '1200 Middle Ave FOR SALE': '1200 Middle Ave',
    'FOR SALE: 1200 Middle Ave': '1200 Middle Ave',
    '1200 Middle Ave - For Sale!': '1200 Middle Ave',
    '1200 Middle Ave - 4 Family': '1200 Middle Ave',
    '1200 Middle Ave \u2013 4-Family FOR SALE': '1200 Middle Ave',
    '12-14 Middle Ave': '12-14 Middle Ave',
  }),
  ...notStated('address', ['Undisclosed Address', 'undisclosed', '0 Middle Ave', '00 Middle Ave']),
];
