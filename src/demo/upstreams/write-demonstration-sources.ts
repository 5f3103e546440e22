import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDemoUpstreams } from './demo-upstreams.js';

/** The file in a demonstration's directory that lists its servers. */
export const demonstrationSourcesFile = 'sources.json';

/** Writes the file of sources with the demonstration's servers, under a temporary name first. */
export async function writeDemonstrationSources(directory: string): Promise<void> {
  const comment = 'The fictional servers of the demonstration. They run inside this server, which rewrites this file.';
  const sources = createDemoUpstreams(directory).flatMap(({ entries }) => entries);
  const path = join(directory, demonstrationSourcesFile);
  await writeFile(`${path}.part`, `${JSON.stringify({ comment, sources }, undefined, 2)}\n`);
  await rename(`${path}.part`, path);
}
