import { existsSync } from 'node:fs';
import { ageOfRates, createRatesAt } from '../../underwriting/mortgage-rates.js';
import { adviseOnRents } from '../../underwriting/rents/judge-rent-table.js';
import { judgeSources } from '../../sources/judge-freshness.js';
import { findIf, type Check, type Finding, type Timetable } from './check.js';
import type { DatabaseContent } from './database-reader.js';

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
    finds: 'a source that is not as fresh as promised, or a job without success for one and a half of its periods',
    cure: 'npm run cli -- ingest <source>, or npm run cli -- run <job>',
    async look(ports) {
      const { standings, jobsDone } = await ports.readContent();
      const { behind } = judgeSources(standings, ports.now());
      const [first] = behind;
      if (first === undefined) return findLateJob(ports.timetable, jobsDone);
      return {
        sentence: `${behind.length} sources are not as fresh as promised: ${behind.map(({ name }) => name).join(', ')}.`,
        cure: `npm run cli -- ingest ${first.name}`,
        figures: { late: behind.length },
      };
    },
  },
  {
    id: 'data.rates',
    severity: 'warn',
    at: ['doctor'],
    finds: 'mortgage rates that are more than 45 days old',
    cure: 'Set MORTGAGE_RATES to rates of today, with their day and source.',
    look({ config, now }) {
      const rates = createRatesAt(config.mortgageRates, config.payment === undefined)(now());
      const age = ageOfRates(rates, now());
      const [days, effect] = age === 'stale' ? [180, ' No deal is Hot.'] : [45, ''];
      const sentence = `The mortgage rates are of ${rates.asOf}: more than ${days} days old.${effect}`;
      return findIf(age !== 'current', () => ({ sentence }));
    },
  },
  {
    id: 'data.rents',
    severity: 'warn',
    at: ['doctor'],
    finds: "HUD's rents of the year in force, or from September on of the next, that are not loaded",
    cure: 'npm run cli -- rents load <workbook>...',
    async look({ readFacts, now }) {
      const sentence = adviseOnRents((await readFacts()).rentTables, now());
      return sentence === undefined ? undefined : { sentence };
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

/** What is due each minute leaves no trace where there is nothing to do. */
const leastPeriodMs = 3_600_000;

function findLateJob(timetable: Timetable, jobsDone: DatabaseContent['jobsDone']): Finding | undefined {
  const late = timetable.flatMap(({ job, periodMs }) => {
    const periods = ((jobsDone.get(job) ?? 0) * 1_000) / periodMs;
    return periodMs >= leastPeriodMs && periods > 1.5 ? [job] : [];
  });
  const [first] = late;
  return findIf(first !== undefined, () => ({
    sentence: `${late.length} jobs have not succeeded for one and a half of their periods: ${late.join(', ')}.`,
    cure: `npm run cli -- run ${first}`,
    figures: { late: late.length },
  }));
}
