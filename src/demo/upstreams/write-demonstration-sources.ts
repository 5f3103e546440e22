import { rename, writeFile } from 'node:fs/promises';
import { createDemoUpstreams } from './demo-upstreams.js';

/** Writes the file of sources that names the servers of the demonstration; it is renamed into place when it is whole. */
export async function writeDemonstrationSources(path: string): Promise<void> {
  const comment =
    'The fictional counties of the demonstration. Their servers run within this one; it writes this file anew.';
  const sources = createDemoUpstreams().flatMap(({ entries }) => entries);
  await writeFile(`${path}.part`, `${JSON.stringify({ comment, sources }, undefined, 2)}\n`);
  await rename(`${path}.part`, path);
}
