import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../project-file.js';
import { createCountyDeliveries } from '../counties/county-deliveries.js';
import { demoCounties } from '../counties/demo-counties.js';
import { createDemoListing, type DemoFeedName, demonstrationSize, type DemoListing } from './create-demo-listing.js';
import { demoFeeds, toFeedRow } from './demo-feeds.js';
import type { DemoFields } from './demo-scenarios.js';
import { type DemoDelivery, renderDelivery } from './render-delivery.js';
import { moveListings, moveSales } from './take-steps.js';
import { writeInPlace } from './write-in-place.js';

export interface DemonstrationOptions {
  /** The same seed, count, revision and day give the same bytes on every machine. Default 1. */
  readonly seed?: number;
  /**
   * Number of properties; some are off the market at a revision, and about one in fifteen is in two feeds. Default 600.
   */
  readonly count?: number;
  /** 1 is the first delivery, 2 the next day's, with price cuts, removals, returns and new listings. Default 1. */
  readonly revision?: number;
  /** How often six records have changed since the first delivery; see `take-steps.ts`. Default 0. */
  readonly steps?: number;
  /** The day of the delivery in UTC, of which the county records are. Default January 1, 2026. */
  readonly day?: Date;
}

/**
 * Writes a drop folder of five fictional marketplaces and six counties, one sub-folder for each kind of record. Each
 * file is written under a temporary name and renamed; a delivery is marked `.done`, as a real one should be. Returns
 * the files.
 */
export async function writeDemonstrationData(directory: string, options: DemonstrationOptions = {}): Promise<string[]> {
  const { day = new Date('2026-01-01'), steps = 0 } = options;
  const written: string[] = [];
  for (const delivery of [
    ...createMarketDeliveries(options),
    ...moveSales(
      demoCounties.flatMap((county) => createCountyDeliveries(county, day.toISOString().slice(0, 10))),
      steps,
    ),
  ]) {
    const { manifest } = delivery;
    const folder = join(directory, manifest.name);
    makeDirectory(folder);
    await writeInPlace(join(folder, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    const file = join(folder, manifest.file);
    await writeInPlace(file, renderDelivery(delivery));
    await writeFile(`${file}.done`, '');
    written.push(file);
  }
  return written;
}

function createMarketDeliveries(options: DemonstrationOptions): readonly DemoDelivery[] {
  const { seed, count, revision, steps } = { ...demonstrationSize, revision: 1, steps: 0, ...options };
  const first = Array.from({ length: count }, (_, index) => createDemoListing(seed, index, revision)).flatMap(
    (listing) => listing ?? [],
  );
  const listings = moveListings(first, { seed, count, steps });
  return demoFeeds.map((feed) => ({
    ...feed,
    rows: selectListings(feed.name, listings).map((fields) => toFeedRow(feed, fields)),
  }));
}

/** A feed's own listings, and for `lakes` also some of another feed's, with another key and spelling. */
export function selectListings(name: DemoFeedName, listings: readonly DemoListing[]): DemoFields[] {
  const own = listings.filter(({ feed }) => feed === name).map(({ fields }) => fields);
  if (name !== 'lakes') return own;
  const shared = listings.filter(({ feed, index }) => index % 11 === 4 && (feed === 'heartland' || feed === 'sunbelt'));
  return [
    ...own,
    ...shared.map(({ index, fields, otherAddress }) => ({ ...fields, ...elsewhere(index, fields, otherAddress) })),
  ];
}

/** Some ask 5% more at the second marketplace. */
function elsewhere(index: number, { sourceKey, address, listPrice }: DemoFields, otherAddress: string): DemoFields {
  const price = Number(listPrice);
  return {
    sourceKey: `L-${sourceKey}`,
    address: address === 'Undisclosed' ? address : otherAddress,
    ...(index % 4 === 0 && price > 0 ? { listPrice: String(Math.round(price * 1.05)) } : {}),
  };
}
