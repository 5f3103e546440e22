import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of a file at the project's root, found from the source and from the compiled tree alike. */
export function findProjectFile(name: string): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error(`No project root above ${fileURLToPath(import.meta.url)}`);
    directory = parent;
  }
  return join(directory, name);
}
