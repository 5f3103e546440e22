import { hash } from 'node:crypto';
import { valueOf } from '../absence.js';
import type { ListingIdentity } from './listing-identity.js';
import type { ObservedListing } from './listing.js';

/** An observation with its property. */
export interface IdentifiedListing extends ListingIdentity {
  readonly observed: ObservedListing;
  readonly countyFips: string | undefined;
}

/** An observation as stored. */
export interface ListingToKeep extends ListingIdentity {
  readonly sourceKey: string;
  /** JSON. */
  readonly content: string;
  readonly contentHash: string;
  /** Undefined when unknown, like `price`. */
  readonly countyFips: string | undefined;
  readonly price: string | undefined;
}

/** Listings that one source showed in one run, each at most once. */
export interface ListingChunk {
  readonly sourceName: string;
  readonly runId: number;
  readonly observedAt: Date;
  readonly listings: readonly ListingToKeep[];
}

/** Prepares an observation for storage: the work that needs no database. */
export function toListingToKeep({ observed, ...identified }: IdentifiedListing): ListingToKeep {
  const { addressParsed, countyFips } = identified;
  const content = JSON.stringify(observed);
  return {
    ...identified,
    sourceKey: observed.sourceKey,
    content,
    contentHash: hash('sha256', `${addressParsed} ${countyFips} ${content}`, 'base64url'),
    price: valueOf(observed.listPrice),
  };
}
