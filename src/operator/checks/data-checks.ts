import { existsSync } from 'node:fs';
import { judgeSources } from '../../sources/judge-freshness.js';
import type { Check } from './check.js';

/** What is for sale, and where it comes from. */
export const dataChecks: readonly Check[] = [
  {
    id: 'data.feed',
    severity: 'not_ready',
    at: ['told', 'doctor'],
    finds: 'no feed is published yet',
    cure: 'npm run cli -- run listings',
    async look(ports) {
      const { feedsPublished } = await ports.readContent();
      if (feedsPublished > 0) return undefined;
      return { sentence: 'No feed is published yet.' };
    },
  },
  {
    id: 'data.unseen',
    severity: 'warn',
    at: ['live', 'doctor'],
    isSlow: true,
    finds: 'a source that no instance sees',
    cure: 'npm run cli -- sources remove <source>',
    async look(ports) {
      const source = (await ports.readContent()).standings.find(({ unseenSince }) => unseenSince !== undefined);
      if (source === undefined) return undefined;
      const { name, unseenSince, lastSeen } = source;
      return {
        sentence: `No instance has seen the source ${name} since ${unseenSince?.toISOString()}; ${lastSeen?.by ?? 'nobody'} saw it last.`,
        cure: `npm run cli -- sources remove ${name}`,
      };
    },
  },
  {
    id: 'data.late',
    severity: 'warn',
    at: ['live', 'doctor'],
    isSlow: true,
    finds: 'a source that is not as fresh as promised',
    cure: 'npm run cli -- ingest <source>',
    async look(ports) {
      const { behind } = judgeSources((await ports.readContent()).standings, ports.now());
      const [first] = behind;
      if (first === undefined) return undefined;
      return {
        sentence: `${behind.length} sources are not as fresh as promised: ${behind.map(({ name }) => name).join(', ')}.`,
        cure: `npm run cli -- ingest ${first.name}`,
        figures: { late: behind.length },
      };
    },
  },
  {
    id: 'data.local',
    severity: 'warn',
    at: ['doctor'],
    finds: 'SOURCES_FILE is not there',
    cure: 'Put it there, or correct SOURCES_FILE.',
    look({ config: { sourcesFile } }) {
      if (sourcesFile === undefined || existsSync(sourcesFile)) return undefined;
      return { sentence: `SOURCES_FILE ${sourcesFile} is not there.` };
    },
  },
];
