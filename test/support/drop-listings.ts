import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainManifest } from '../sources/formats/drop-feed.js';

/**
 * A broker's delivery of one listing, since demonstration data is not sold on a public network. `changes` apply to its
 * manifest; its folder has the source's name.
 */
export function dropListings(
  dropDirectory: string,
  row = 'B-1,100 Example Ave,Cleveland,OH,44105,300000,4,9.5',
  changes: { readonly name?: string; readonly file?: string; readonly licence?: object } = {},
): void {
  const folder = join(dropDirectory, changes.name ?? 'brokers');
  mkdirSync(folder, { recursive: true });
  const manifest = { ...plainManifest, mapping: { ...plainManifest.mapping, capRate: 'cap' }, ...changes };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  writeFile(folder, 'deals.csv', row);
}

/** Another file of the same delivery, which is another page of it. */
export function dropMore(dropDirectory: string, row: string, name: string): void {
  writeFile(join(dropDirectory, name), 'more.csv', row);
}

function writeFile(folder: string, name: string, row: string): void {
  writeFileSync(join(folder, name), `id,street,city,state,zip,price,units,cap\n${row}\n`);
  writeFileSync(join(folder, `${name}.done`), '');
}
