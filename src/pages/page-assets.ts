import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectFile } from '../project-file.js';

/** A stylesheet or script of the pages. */
export interface PageAsset {
  readonly mediaType: 'text/css' | 'application/javascript';
  readonly text: string;
}

/** Reads the stylesheets and scripts of the pages, by name. They are served unchanged. */
export function readPageAssets(): ReadonlyMap<string, PageAsset> {
  const directory = findProjectFile('src/pages/assets');
  return new Map(
    readdirSync(directory)
      .filter((name) => /\.(css|js)$/.test(name))
      .map((name) => [
        name,
        {
          mediaType: name.endsWith('.css') ? 'text/css' : 'application/javascript',
          text: readFileSync(join(directory, name), 'utf8'),
        },
      ]),
  );
}
