import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectFile } from '../project-file.js';

/** A file that pages are drawn with. */
export interface PageAsset {
  readonly mediaType: 'text/css' | 'application/javascript';
  readonly text: string;
}

/** Reads the stylesheet and the scripts of the pages, by name. They are served as they were written. */
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
