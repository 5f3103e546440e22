import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeRents } from './data/write-rents.js';
import { writeDemonstrationData } from './data/write-demonstration-data.js';

/** Opens the demonstration in the data directory: fictional sources, which deliver files. */
export function openDemonstration(dataDirectory: string) {
  const directory = join(dataDirectory, 'demonstration');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'sources.json');
  return {
    /** Its drop folder. */
    directory,
    /** Its file of sources; missing before the first delivery. */
    file,
    /** Writes the deliveries of a day. */
    async deliver(day: Date): Promise<void> {
      await writeDemonstrationData(directory, { revision: revisionOf(directory, day), day });
      await writeRents(file, day);
    },
  };
}

const dayMs = 86_400_000;

/**
 * The first delivery is revision 1; each later day is the next, with price cuts, removals and returns, so that nightly
 * jobs have real work.
 */
function revisionOf(directory: string, day: Date): number {
  const firstDayPath = join(directory, 'first-day');
  if (!existsSync(firstDayPath)) writeFileSync(firstDayPath, day.toISOString());
  const firstDay = new Date(readFileSync(firstDayPath, 'utf8').trim());
  return 1 + Math.max(0, Math.floor((day.getTime() - firstDay.getTime()) / dayMs));
}
