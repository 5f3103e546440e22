import { readTable } from '../../project-file.js';

/** A location of demonstration properties: a ZIP with its postal city and a two-bedroom rent. */
export interface DemoPlace {
  readonly state: string;
  /** Core county of the metro, without the word County. */
  readonly county: string;
  readonly zip: string;
  readonly city: string;
  /** USD a month; only makes asking prices plausible, never published. */
  readonly rent: number;
}

const places = readTable('src/demo/data/demo-places.csv', {
  area: /^(metro|outside)$/,
  state: /^[A-Z]{2}$/,
  county: /^[A-Z]/,
  zip: /^\d{5}$/,
  city: /^[A-Z]/,
  rent: /^\d{3,4}$/,
}).map(({ rent, ...place }) => ({ ...place, rent: Number(rent) }));

const inMetros = places.filter(({ area }) => area === 'metro');
const metroOf = ({ state, county }: DemoPlace) => `${county}, ${state}`;

/** The places of the 29 metros, by metro. For the last two of each only the county's rent is known. */
export const demoMetros: readonly (readonly DemoPlace[])[] = [...new Set(inMetros.map(metroOf))].map((metro) =>
  inMetros.filter((place) => metroOf(place) === metro),
);

/** Places outside the metros, without known rents. */
export const placesOutside: readonly DemoPlace[] = places.filter(({ area }) => area === 'outside');
