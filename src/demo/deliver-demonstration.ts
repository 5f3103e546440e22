import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDemonstrationData } from './data/write-demonstration-data.js';
import { writeDemonstrationSources } from './upstreams/write-demonstration-sources.js';

const dayMs = 86_400_000;

/**
 * Writes the demonstration's deliveries of a day: the drop folder, the listing service's data and the file of sources.
 * The first call writes the first day's; each later day writes the next revision, with price cuts, removals and
 * returns, so that nightly jobs have real work.
 */
export async function deliverDemonstration(directory: string, day: Date): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const firstDayPath = join(directory, 'first-day');
  if (!existsSync(firstDayPath)) writeFileSync(firstDayPath, day.toISOString());
  const firstDay = new Date(readFileSync(firstDayPath, 'utf8').trim());
  const revision = 1 + Math.max(0, Math.floor((day.getTime() - firstDay.getTime()) / dayMs));
  // Earlier versions delivered the listing service's data as files.
  rmSync(join(directory, 'demo-lakes'), { recursive: true, force: true });
  await writeDemonstrationData(directory, { revision, day });
  await writeDemonstrationSources(directory);
}
