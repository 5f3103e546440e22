import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { deliverDemonstration } from './deliver-demonstration.js';
import { serveDemonstration, type ServedDemonstration } from './upstreams/serve-demonstration.js';
import { demonstrationSourcesFile } from './upstreams/write-demonstration-sources.js';

/** The fictional sources and their mock servers. */
export interface Demonstration extends ServedDemonstration {
  /** Drop folder of the demonstration. */
  readonly directory: string;
  /** Its file of sources; missing before the first delivery. */
  readonly file: string;
  /** Writes the deliveries of a day. */
  deliver(day: Date): Promise<void>;
}

/** Opens the demonstration in the data directory. */
export function openDemonstration(dataDirectory: string, now: () => Date): Demonstration {
  const directory = join(dataDirectory, 'demonstration');
  mkdirSync(directory, { recursive: true });
  return {
    ...serveDemonstration(directory, now),
    directory,
    file: join(directory, demonstrationSourcesFile),
    deliver: (day) => deliverDemonstration(directory, day),
  };
}
