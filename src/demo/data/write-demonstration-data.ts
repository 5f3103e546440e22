import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDemoListing, demonstrationSize, type DemoListing } from './create-demo-listing.js';
import { type DemoFeed, demoFeeds } from './demo-feeds.js';
import type { DemoFields } from './demo-scenarios.js';
import { renderDelivery } from './render-delivery.js';

export interface DemonstrationOptions {
  /** The same seed, count and revision give the same bytes on every machine. Default 1. */
  readonly seed?: number;
  /** Properties made up; some are off the market at a revision, and about one in fifteen is delivered by two feeds. Default 600. */
  readonly count?: number;
  /** 1 is the first delivery, 2 the next day's: with price cuts, removals, returns and new listings. Default 1. */
  readonly revision?: number;
}

/**
 * Writes a drop folder of five fictional marketplaces, one sub-folder each, in CSV, JSON and NDJSON. Each file is written
 * beside, renamed into place and marked `.done`, as a real delivery should be. Returns what was written.
 */
export async function writeDemonstrationData(
  directory: string,
  { seed = demonstrationSize.seed, count = demonstrationSize.count, revision = 1 }: DemonstrationOptions = {},
): Promise<{ source: string; file: string; listings: number; badRows: number }[]> {
  const listings = Array.from({ length: count }, (_, index) => createDemoListing(seed, index, revision)).flatMap(
    (listing) => listing ?? [],
  );
  const written = [];
  for (const feed of demoFeeds) {
    const rows = rowsOf(feed, listings);
    const folder = join(directory, feed.manifest.name);
    await mkdir(folder, { recursive: true });
    await writeInPlace(join(folder, 'manifest.json'), `${JSON.stringify(feed.manifest, undefined, 2)}\n`);
    const file = join(folder, feed.manifest.file);
    await writeInPlace(file, renderDelivery(feed, rows));
    await writeFile(`${file}.done`, '');
    written.push({ source: feed.manifest.name, file, listings: rows.length, badRows: feed.badRows.length });
  }
  return written;
}

/** A feed's own listings, and for `lakes` some that another feed shows too, under another key and in another spelling. */
function rowsOf({ name }: DemoFeed, listings: readonly DemoListing[]): DemoFields[] {
  const own = listings.filter(({ feed }) => feed === name).map(({ fields }) => fields);
  if (name !== 'lakes') return own;
  const shared = listings.filter(({ feed, index }) => index % 11 === 4 && (feed === 'heartland' || feed === 'sunbelt'));
  return [...own, ...shared.map(({ fields, otherAddress }) => ({ ...fields, ...elsewhere(fields, otherAddress) }))];
}

function elsewhere({ sourceKey, address }: DemoFields, otherAddress: string): DemoFields {
  return { sourceKey: `L-${sourceKey}`, address: address === 'Undisclosed' ? address : otherAddress };
}

async function writeInPlace(path: string, content: string | Buffer): Promise<void> {
  await writeFile(`${path}.part`, content);
  await rename(`${path}.part`, path);
}
