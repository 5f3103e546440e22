import { existsSync, readFileSync } from 'node:fs';
import { findProjectFile } from '../../src/project-file.js';

/** A file of the optional reference data beside the repository. Undefined, with a warning, when it is missing. */
export function readSharedData(name: string): string | undefined {
  const path = findProjectFile(`../shared/data/${name}`);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  process.stderr.write(
    `SKIPPED: ../shared/data/${name} is missing, so the copy in the tests is not compared with it\n`,
  );
  return undefined;
}
