import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../../project-file.js';
import type { HomeFiles } from './surroundings.js';

/** The command's own files in a directory, readable only by the user. */
export function createHomeFiles(directory: string): HomeFiles {
  return {
    read: (name) => readFile(join(directory, name), 'utf8'),
    async write(name, text) {
      const path = join(directory, name);
      makeDirectory(dirname(path), 0o700);
      const draft = join(directory, `draft.${randomUUID()}`);
      await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
      await rename(draft, path);
      return path;
    },
  };
}
