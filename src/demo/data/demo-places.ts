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

const places: readonly DemoPlace[] = readTable('src/demo/data/demo-places.csv', {
  state: /^[A-Z]{2}$/,
  county: /^[A-Z]/,
  zip: /^\d{5}$/,
  city: /^[A-Z]/,
  rent: /^\d{3,4}$/,
}).map(({ rent, ...place }) => ({ ...place, rent: Number(rent) }));

const metroOf = ({ state, county }: DemoPlace) => `${county}, ${state}`;

/** The places of the 29 metros, by metro. */
export const demoMetros: readonly (readonly DemoPlace[])[] = [...new Set(places.map(metroOf))].map((metro) =>
  places.filter((place) => metroOf(place) === metro),
);
