import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { Config } from '../../config/config.js';
import { ageOfRates, createRatesAt } from '../../underwriting/mortgage-rates.js';
import { adviseOnRents } from '../../underwriting/rents/judge-rent-table.js';
import { judgeSources } from '../../sources/judge-freshness.js';
import { listUnsetSecrets } from '../../sources/registry/load-sources.js';
import { SourceError } from '../../sources/source-error.js';
import { findIf, type Check, type CheckPorts, type Finding, type Timetable } from './check.js';
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
      const unseen = (await ports.readContent()).standings.filter(({ unseenSince }) => unseenSince !== undefined);
      const named = unseen.slice(0, mostNamed);
      const sentences = named.map(
        ({ name, unseenSince, lastSeen }) =>
          `No instance has seen the source ${name} since ${unseenSince?.toISOString()}; ${lastSeen?.by ?? 'nobody'} saw it last.`,
      );
      if (unseen.length > named.length) sentences.push(`So it is with ${unseen.length - named.length} more.`);
      return findIf(unseen.length > 0, () => ({
        sentence: sentences.join(' '),
        cure: named.map(({ name }) => `npm run cli -- sources remove ${name}`).join('\n'),
        figures: { unseen: unseen.length },
      }));
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
    finds: 'SOURCES_FILE cannot be read, lacks a secret, or differs between instances; each has a DROP_DIR of its own',
    cure: 'Give all instances one SOURCES_FILE, its secrets, and one DROP_DIR.',
    look: async (ports) => (await findFileFault(ports.config)) ?? findFleetFault(ports),
  },
];

/** The others are in the table of `sources`. */
const mostNamed = 5;

/** What this machine lacks to read its file of sources. */
async function findFileFault({ sourcesFile, sourceSecrets }: Config): Promise<Finding | undefined> {
  if (sourcesFile === undefined) return undefined;
  const cure = 'Put it there, or correct SOURCES_FILE.';
  if (!existsSync(sourcesFile)) return { sentence: `SOURCES_FILE ${sourcesFile} is not there.`, cure };
  try {
    const [lacking] = await listUnsetSecrets(sourcesFile, { readSecret: (name) => sourceSecrets.get(name) });
    if (lacking === undefined) return undefined;
    const { secret, source } = lacking;
    return { sentence: `${secret} is not set, and the source ${source} needs it.`, cure: `Set ${secret}.` };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { sentence: error.message, cure: 'Correct the file, or SOURCES_FILE.' };
  }
}

/** What the instances do not have in common. Nothing is known while the database is away. */
async function findFleetFault({ config, readContent }: CheckPorts): Promise<Finding | undefined> {
  const { instances, differing } = await readContent();
  const [first] = differing;
  if (first !== undefined)
    return {
      sentence: `The source ${first.source} is configured differently on ${first.instances.join(' and ')}.`,
      cure: 'Give them the same SOURCES_FILE and drop folders.',
    };
  const { dropDirectory, dataDirectory } = config;
  const isInside = !relative(dataDirectory, dropDirectory).startsWith('..');
  return findIf(instances > 1 && isInside, () => ({
    sentence: `DROP_DIR ${dropDirectory} is inside DATA_DIR, and ${instances} instances run: each may have its own.`,
    cure: 'Set DROP_DIR to one path outside DATA_DIR that all instances read.',
  }));
}

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
