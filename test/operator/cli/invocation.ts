import { findProjectFile } from '../../../src/project-file.js';
import { shortLived } from '../../support/short-lived.js';

/** The command as a process of its own, over the data directory. */
export function invocation(directory: string, words: readonly string[]) {
  const { PATH } = process.env;
  const env = { PATH, DATA_DIR: directory, DATABASE_URL: '', DEMONSTRATION: 'true' };
  return [
    process.execPath,
    [shortLived, findProjectFile('dist/bin/cli.js'), ...words],
    { cwd: findProjectFile('.'), env },
  ] as const;
}
