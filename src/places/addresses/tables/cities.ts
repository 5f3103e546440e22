import { readTable } from '../../../project-file.js';
import { wordsOf } from './words.js';

const cities = readTable('src/places/data/cities.csv', {
  list: /^(metro|queens)$/,
  state: /^[A-Z]{2}$/,
  city: /^[A-Z ]+$/,
});

/**
 * `"CLEVELAND, OH"` for each city of the covered metros. They only help to find where the street ends when a one-line
 * address has no commas; an address of any other city is read as well, given a comma or a street suffix.
 */
export const knownCities: ReadonlySet<string> = new Set(
  cities.flatMap(({ list, state, city }) => (list === 'metro' ? [`${city}, ${state}`] : [])),
);

/** The longest known city name, in words. */
export const longestCityWords = 3;

/**
 * ZIP codes of the borough of Queens, New York, where a house number is that of its street and, behind a hyphen, its
 * own.
 */
export const queensZips = /^(?:1100[45]|111\d\d|113\d\d|114\d\d|1169\d)$/;

/** Its postal cities, for addresses without a ZIP. */
export const queensCities: ReadonlySet<string> = new Set(
  cities.flatMap(({ list, city }) => (list === 'queens' ? [city] : [])),
);

/** Abbreviations inside a city name -> the word kept. SAINT is shortened, as nearly every source writes it. */
export const cityWords = wordsOf('city_word');

/** Abbreviations at the start of a city name -> the word kept. */
export const leadingCityWords = wordsOf('leading_city_word');

/** Name or code of a state or territory (upper case) -> its two-letter code. */
export const stateCodes: ReadonlyMap<string, string> = new Map(
  readTable('src/places/data/states.csv', {
    code: /^[A-Z]{2}$/,
    name: /^[A-Z ]+$/,
    fips: /^/,
    time_zone: /^/,
    zip_prefixes: /^/,
  }).flatMap(({ code, name }) => [
    [code, code],
    [name, code],
  ]),
);
