import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectFile } from '../project-file.js';

/** A stylesheet or script of the pages. */
export interface PageAsset {
  readonly mediaType: 'text/css' | 'application/javascript';
  readonly text: string;
  /** Changes with the text; part of the address that pages name. */
  readonly mark: string;
}

let assets: ReadonlyMap<string, PageAsset> | undefined;

/** The stylesheets and scripts of the pages, by name, as the build has joined them. */
function pageAssets(): ReadonlyMap<string, PageAsset> {
  const directory = findProjectFile('dist/assets/pages');
  return (assets ??= new Map(readdirSync(directory).map((name) => [name, readAsset(join(directory, name))])));
}

function readAsset(path: string): PageAsset {
  const text = readFileSync(path, 'utf8');
  const mediaType = path.endsWith('.css') ? 'text/css' : 'application/javascript';
  return { mediaType, text, mark: createHash('sha256').update(text).digest('hex').slice(0, 10) };
}

/** The address of an asset, which changes with its text: `/assets/home-0123456789.css`. */
export function assetUrl(name: string): string {
  const mark = pageAssets().get(name)?.mark;
  if (mark === undefined) throw new Error(`The pages have no asset ${name}. Run: npm run build`);
  return `/assets/${name.replace('.', `-${mark}.`)}`;
}

/**
 * The asset of a name with or without a mark; undefined where there is none. `isExact`: its address always has this
 * text. A page of another version gets the present text, which is better than none.
 */
export function findAsset(file: string): (PageAsset & { readonly isExact: boolean }) | undefined {
  const [, stem = '', mark, type = ''] = /^(.+?)(?:-([0-9a-f]{10}))?\.(css|js)$/.exec(file) ?? [];
  const asset = pageAssets().get(`${stem}.${type}`);
  return asset && { ...asset, isExact: mark === asset.mark };
}
