import { readTable } from '../../../project-file.js';
import { wordsOf } from './words.js';

const cities = readTable('src/places/data/cities.csv', {
  list: /^(metro|queens)$/,
  state: /^[A-Z]{2}$/,
  city: /^[A-Z ]+$/,
  counties: /^(\d{5}( \d{5})*)?$/,
});

/**
 * `"CLEVELAND, OH"` for each city of the covered metros. Used only to find the end of the street in a one-line address
 * without commas; addresses in other cities need a comma or a street suffix.
 */
export const knownCities: ReadonlySet<string> = new Set(
  cities.flatMap(({ list, state, city }) => (list === 'metro' ? [`${city}, ${state}`] : [])),
);

/** `"CLEVELAND, OH"` -> the counties (FIPS) of a city, where they are known. */
export const countiesOfCities: ReadonlyMap<string, readonly string[]> = new Map(
  cities.flatMap(({ state, city, counties }) => (counties === '' ? [] : [[`${city}, ${state}`, counties.split(' ')]])),
);

/** Number of words of the longest known city name. */
export const longestCityWords = 3;

/**
 * ZIP codes of the borough of Queens, New York, where a house number consists of the cross street's number, a hyphen,
 * and its own number.
 */
export const queensZips = /^(?:1100[45]|111\d\d|113\d\d|114\d\d|1169\d)$/;

/** Postal cities of Queens, for addresses without a ZIP. */
export const queensCities: ReadonlySet<string> = new Set(
  cities.flatMap(({ list, city }) => (list === 'queens' ? [city] : [])),
);

/** Abbreviations inside a city name -> canonical word. SAINT is abbreviated, as in nearly every source. */
export const cityWords = wordsOf('city_word');

/** Abbreviations at the start of a city name -> canonical word. */
export const leadingCityWords = wordsOf('leading_city_word');

/** Name or code of a state or territory (upper case) -> two-letter code. */
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
