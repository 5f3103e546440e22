import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainManifest } from '../sources/drop-feed.js';

/**
 * A broker's delivery of one listing: demonstration data is not sold on a public network. `changes` are made to its
 * manifest; its folder has the source's name.
 */
export function dropListings(
  dropDirectory: string,
  row = 'B-1,100 Example Ave,Cleveland,OH,44105,300000,4,9.5',
  changes: { readonly name?: string; readonly licence?: object } = {},
): void {
  const folder = join(dropDirectory, changes.name ?? 'brokers');
  mkdirSync(folder, { recursive: true });
  const manifest = { ...plainManifest, mapping: { ...plainManifest.mapping, capRate: 'cap' }, ...changes };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const rows = ['id,street,city,state,zip,price,units,cap', row];
  writeFileSync(join(folder, 'deals.csv'), `${rows.join('\n')}\n`);
  writeFileSync(join(folder, 'deals.csv.done'), '');
}
