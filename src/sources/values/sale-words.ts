import { absent, isKnown, known, type Maybe } from '../../absence.js';
import {
  type ListingTerm,
  listingTerms,
  type PropertyType,
  propertyTypes,
  type SaleCondition,
  saleConditions,
} from '../../listings/listing.js';
import { parseLocalDate } from '../formats/local-date.js';
import { parseCount } from './figures.js';
import { notUnderstood } from './not-understood.js';
import { parseCode, wordsIn } from './text.js';

/** A year between 1700 and two years ahead: `1924`, `c. 1924`, or that of a day. */
export function parseYear(text: string, currentYear: number): Maybe<number> {
  const bare = text.slice(0, 80).replace(/^(?:c\.?|ca\.?|circa|built(?: in)?|about|approx\.?|~)\s*(?=\d)/i, '');
  const day = parseLocalDate(bare);
  const year = parseCount(isKnown(day) ? day.value.slice(0, 4) : bare, 1700, currentYear + 2);
  return isKnown(year) ? year : notUnderstood('not_a_year');
}

const typesByWords: Readonly<Record<string, PropertyType>> = {
  quadruplex: 'fourplex',
  quadplex: 'fourplex',
  quad: 'fourplex',
  '4 plex': 'fourplex',
};
/** Words for several types: the units decide. */
const severalTypes = /^(multi ?family|2 4 (family|units?)|duplex multi|multi)$/;
const typesByUnits: Readonly<Record<string, PropertyType>> = { 2: 'duplex', 3: 'triplex', 4: 'fourplex' };

/** The type of a building by its number of units; undefined where that is none of two or more. */
export function typeOfUnits(units: number | undefined): PropertyType | undefined {
  return typesByUnits[String(units)] ?? ((units ?? 0) >= 5 ? 'multifamily_5_plus' : undefined);
}

/** The type of a building. `Multi-Family` and the like are of several types: then its units, where known, decide. */
export function parsePropertyType(text: string, units: number | undefined): Maybe<PropertyType> {
  const words = wordsIn(text.slice(0, 80));
  const type = severalTypes.test(words) ? typeOfUnits(units) : typesByWords[words];
  if (type !== undefined) return known(type);
  if (severalTypes.test(words)) return absent('not_stated_by_source');
  const code = parseCode(text, propertyTypes);
  return isKnown(code) ? code : notUnderstood('unknown_type');
}

const conditionsByWords: Readonly<Record<string, SaleCondition>> = {
  reo: 'bank_owned',
  'real estate owned': 'bank_owned',
  foreclosure: 'bank_owned',
  probate: 'estate',
};

/** How a sale takes place. Unknown words stay unknown: a cash-only auction must not pass as a standard sale. */
export function parseSaleCondition(text: string): Maybe<SaleCondition> {
  const condition = conditionsByWords[wordsIn(text.slice(0, 80))];
  return condition === undefined ? parseCode(text, saleConditions) : known(condition);
}

const termsByWords: Readonly<Record<string, ListingTerm>> = {
  'seller financing': 'owner_may_carry',
  'seller finance': 'owner_may_carry',
  'owner financing': 'owner_may_carry',
  'owner carry': 'owner_may_carry',
  owc: 'owner_will_carry',
  'contract for deed': 'land_contract',
};

/** One financing term; `VA` and others that affect no rule are unknown. */
export function parseTerm(text: string): Maybe<ListingTerm> {
  const words = wordsIn(text.slice(0, 80));
  const term = termsByWords[words] ?? listingTerms.find((code) => code === words.replaceAll(' ', '_'));
  return term === undefined ? notUnderstood('unknown_term') : known(term);
}
