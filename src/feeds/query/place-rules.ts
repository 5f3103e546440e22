import { foldPlace } from './feed-kind.js';
import { inCircle, oneOf, passing, type FilterRules } from './filter-rules.js';
import type { Circle } from './map-point.js';
import { createCountyMatch } from './place-match.js';

/** Where a record lies, as filters ask for it. A value that is doubted is undefined. */
export interface PlaceColumns {
  /** Two-letter code. */
  readonly state: string;
  /** County label, folded. */
  readonly county?: string | undefined;
  /** Five digits. */
  readonly countyFips?: string | undefined;
  /** The metro whose core county it is, as queries name it. */
  readonly metro?: string | undefined;
  /** Five digits. */
  readonly zip?: string | undefined;
  /** See `map-point.ts`. */
  readonly point?: number | undefined;
}

/** A place that is asked for, in parts that are combined with AND. Of a list, one item has to be that of the record. */
export interface PlaceFilter {
  readonly state?: readonly string[];
  /** Part of the county label. */
  readonly county?: string;
  readonly countyFips?: readonly string[];
  readonly metro?: readonly string[];
  readonly zip?: readonly string[];
  readonly near?: Circle;
}

export const placeRules: FilterRules<PlaceColumns, PlaceFilter> = {
  state: oneOf('state', foldPlace),
  county: passing('county', createCountyMatch),
  countyFips: oneOf('countyFips'),
  metro: oneOf('metro'),
  zip: oneOf('zip'),
  near: inCircle('point'),
};

export const placeColumns = {
  state: 'text',
  county: 'text',
  countyFips: 'text',
  metro: 'text',
  zip: 'text',
  point: 'number',
} as const;
