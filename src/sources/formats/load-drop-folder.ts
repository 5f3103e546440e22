import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDropFolder, type DropSource } from './drop-folder.js';
import { type Manifest, readDropManifest, readManifestJson } from './drop-manifest.js';
import { SourceError } from '../source-error.js';
import { readStatedRights, type StatedRights } from '../stated-licence.js';

/** A delivery folder that is not served, with the reason in one plain sentence. */
export interface RefusedFolder {
  readonly folder: string;
  readonly problem: string;
}

/**
 * The sources of a drop folder, ordered by sub-folder: one for each sub-folder with a valid `manifest.json`. A
 * sub-folder without a valid manifest, or with the name of another source, is rejected; the others continue.
 *
 * @throws SourceError when the drop folder cannot be listed
 */
export async function loadDropFolder(
  directory: string,
  options: { readonly now: () => Date },
): Promise<{ sources: DropSource[]; refused: RefusedFolder[]; stated: StatedRights[] }> {
  const sources: DropSource[] = [];
  const stated: StatedRights[] = [];
  const refused: RefusedFolder[] = [];
  for (const folder of await listFolders(directory)) {
    const manifest = await readManifest(join(directory, folder));
    if (typeof manifest === 'string') {
      refused.push({ folder, problem: manifest });
      const rights = readStatedRights(await readManifestJson(join(directory, folder)).catch(() => undefined));
      if (rights !== undefined) stated.push(rights);
    } else if (sources.some(({ name }) => name === manifest.name)) {
      refused.push({
        folder,
        problem: `Another folder already has the name ${manifest.name}. Give each feed a name of its own.`,
      });
    } else sources.push(createDropFolder({ directory: join(directory, folder), manifest, ...options }));
  }
  return { sources, refused, stated };
}

async function listFolders(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => {
    throw new SourceError(
      'delivery_missing',
      `The drop folder ${directory} cannot be listed. Create it, or correct the configuration.`,
    );
  });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
}

async function readManifest(directory: string): Promise<Manifest | string> {
  try {
    return await readDropManifest(directory);
  } catch (error) {
    return error instanceof SourceError ? error.message : 'manifest.json cannot be read. Check the rights of the file.';
  }
}
