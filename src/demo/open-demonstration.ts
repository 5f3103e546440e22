import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../project-file.js';
import { createListingPasts, createSalePasts } from './data/create-past.js';
import { isFirstDay, writePast } from './data/past-store.js';
import { writeInPlace } from './data/write-in-place.js';
import { writeRents } from './data/write-rents.js';
import { writeDemonstrationData } from './data/write-demonstration-data.js';

/** Opens the demonstration in the data directory: fictional sources, which deliver files. */
export function openDemonstration(dataDirectory: string) {
  const directory = join(dataDirectory, 'demonstration');
  makeDirectory(directory);
  const file = join(directory, 'sources.json');
  return {
    /** Its drop folder. */
    directory,
    /** Its file of sources; missing before the first delivery. */
    file,
    /** Writes the deliveries of a day, after as many steps as were taken; `isStep` takes one more. */
    async deliver(day: Date, isStep = false): Promise<void> {
      const steps = readSteps(directory) + (isStep ? 1 : 0);
      await writeDemonstrationData(directory, { revision: revisionOf(directory, day), day, steps });
      if (isStep) await writeInPlace(join(directory, 'steps'), String(steps));
      await writeRents(file, day);
    },
    /** Gives what was first read on the first day its past. */
    async writePast(knex: Parameters<typeof writePast>[0], now: Date): Promise<void> {
      const firstDay = readFirstDay(directory);
      if (firstDay !== undefined) await writePast(knex, firstDay, now);
    },
    /** The same past, as it was shown; undefined after the first day. */
    readPast(now: Date) {
      const firstDay = readFirstDay(directory);
      if (firstDay === undefined || !isFirstDay(firstDay, now)) return undefined;
      const sales = createSalePasts(firstDay.toISOString().slice(0, 10));
      return { firstDay, listings: createListingPasts(), sales };
    },
  };
}

const dayMs = 86_400_000;

/**
 * The first delivery is revision 1; each later day is the next, with price cuts, removals and returns, so that nightly
 * jobs have real work.
 */
function revisionOf(directory: string, day: Date): number {
  const firstDay = readFirstDay(directory);
  if (firstDay === undefined) writeFileSync(join(directory, 'first-day'), day.toISOString());
  return 1 + Math.max(0, Math.floor((day.getTime() - (firstDay ?? day).getTime()) / dayMs));
}

function readFirstDay(directory: string): Date | undefined {
  const path = join(directory, 'first-day');
  return existsSync(path) ? new Date(readFileSync(path, 'utf8').trim()) : undefined;
}

function readSteps(directory: string): number {
  const path = join(directory, 'steps');
  return existsSync(path) ? Number(readFileSync(path, 'utf8').trim()) : 0;
}
