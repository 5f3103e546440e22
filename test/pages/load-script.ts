import { pathToFileURL } from 'node:url';
import { findProjectFile } from '../../src/project-file.js';

/** A script of the report viewer, as browsers get it. */
export const loadScript = <T>(name: string): Promise<T> =>
  import(pathToFileURL(findProjectFile(`src/pages/viewer/${name}`)).href) as Promise<T>;
