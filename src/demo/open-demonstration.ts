import { serveDemonstration } from './upstreams/serve-demonstration.js';
import { demonstrationSourcesFile, writeDemonstrationSources } from './upstreams/demo-upstreams.js';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDemonstrationData } from './data/write-demonstration-data.js';

/** Opens the demonstration in the data directory: fictional sources and their mock servers. */
export function openDemonstration(dataDirectory: string, now: () => Date) {
  const directory = join(dataDirectory, 'demonstration');
  mkdirSync(directory, { recursive: true });
  return {
    ...serveDemonstration(directory, now),
    /** Its drop folder. */
    directory,
    /** Its file of sources; missing before the first delivery. */
    file: join(directory, demonstrationSourcesFile),
    /** Writes the deliveries of a day. */
    deliver: (day: Date): Promise<void> => deliverDemonstration(directory, day),
  };
}

const dayMs = 86_400_000;

/**
 * Writes the demonstration's deliveries of a day: the drop folder, the listing service's data and the file of sources.
 * The first call writes the first day's; each later day writes the next revision, with price cuts, removals and
 * returns, so that nightly jobs have real work.
 */
async function deliverDemonstration(directory: string, day: Date): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const firstDayPath = join(directory, 'first-day');
  if (!existsSync(firstDayPath)) writeFileSync(firstDayPath, day.toISOString());
  const firstDay = new Date(readFileSync(firstDayPath, 'utf8').trim());
  const revision = 1 + Math.max(0, Math.floor((day.getTime() - firstDay.getTime()) / dayMs));
  await writeDemonstrationData(directory, { revision, day });
  await writeDemonstrationSources(directory, day);
}
