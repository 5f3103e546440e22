import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDemoListing, type DemoFeedName, demonstrationSize, type DemoListing } from './create-demo-listing.js';
import { demoFeeds } from './demo-feeds.js';
import type { DemoFields } from './demo-scenarios.js';
import { keepProperties, propertiesFile, readProperties, badProperty, renderProperty } from './render-property.js';
import { renderDelivery } from './render-delivery.js';

export interface DemonstrationOptions {
  /** The same seed, count and revision give the same bytes on every machine. Default 1. */
  readonly seed?: number;
  /**
   * Number of properties; some are off the market at a revision, and about one in fifteen is in two feeds. Default 600.
   */
  readonly count?: number;
  /** 1 is the first delivery, 2 the next day's, with price cuts, removals, returns and new listings. Default 1. */
  readonly revision?: number;
  /** The day of the delivery, used by the listing service to date changes. Default January 1, 2026. */
  readonly day?: Date;
}

/**
 * Writes a drop folder of four fictional marketplaces, one sub-folder each, in CSV, JSON and NDJSON, and the properties
 * of a listing service beside them. Each file is written under a temporary name and renamed; a delivery is marked
 * `.done`, as a real one should be. Returns the files.
 */
export async function writeDemonstrationData(directory: string, options: DemonstrationOptions = {}): Promise<string[]> {
  const { seed, count, revision, day } = { ...demonstrationSize, revision: 1, day: new Date('2026-01-01'), ...options };
  const listings = Array.from({ length: count }, (_, index) => createDemoListing(seed, index, revision)).flatMap(
    (listing) => listing ?? [],
  );
  const written: string[] = [];
  for (const feed of demoFeeds) {
    const folder = join(directory, feed.manifest.name);
    await mkdir(folder, { recursive: true });
    await writeInPlace(join(folder, 'manifest.json'), `${JSON.stringify(feed.manifest, undefined, 2)}\n`);
    const file = join(folder, feed.manifest.file);
    await writeInPlace(file, renderDelivery(feed, rowsOf(feed.name, listings)));
    await writeFile(`${file}.done`, '');
    written.push(file);
  }
  const file = join(directory, propertiesFile);
  const offered = rowsOf('lakes', listings).map(renderProperty);
  const properties = keepProperties(readProperties(file), [...offered, badProperty], day);
  await writeInPlace(file, `${JSON.stringify(properties)}\n`);
  return [...written, file];
}

/** A feed's own listings, and for `lakes` also some of another feed's, with another key and spelling. */
function rowsOf(name: DemoFeedName, listings: readonly DemoListing[]): DemoFields[] {
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

async function writeInPlace(path: string, content: string | Buffer): Promise<void> {
  await writeFile(`${path}.part`, content);
  await rename(`${path}.part`, path);
}
