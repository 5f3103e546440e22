import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureEvents } from './events.js';
import { measureFirstPurchase } from './first-purchase.js';
import { measureMetrics } from './metrics.js';
import { measureQueries } from './queries.js';
import { compareReports, createReport, type Report, type ReportFile } from './report.js';
import { measureRequests } from './requests.js';
import { measureScale } from './scale.js';
import { measureSettlement } from './settlement.js';
import { measureSoak } from './soak.js';
import { measureStarts } from './starts.js';

const usage = `Usage: npm run bench -- [<part> [<count>...]] [--json <file>]
       npm run bench -- --compare <earlier file> <later file>

Parts: requests, starts, settlement, metrics, events, queries [<deals>...], scale [<listings> <signals>], soak [<minutes>];
without one all of them but the soak. Those on PostgreSQL need TEST_DATABASE_URL: scale and soak.`;

/**
 * Measures what this service costs, compiled as it is shipped: the loader of the tests would slow down what is measured
 * here and not what it is compared with. Progress goes to stderr, the figures to stdout and into the file of `--json`.
 */
const out = (line: string) => void process.stdout.write(`${line}\n`);
const postgresUrl = process.env['TEST_DATABASE_URL'];

const parts: Readonly<Record<string, (report: Report, counts: readonly number[]) => Promise<void>>> = {
  requests: (report) => measureRequests(report, postgresUrl),
  starts: (report) => measureStarts(report),
  settlement: async (report) => {
    await measureFirstPurchase(report);
    await measureSettlement(report);
  },
  metrics: (report) => measureMetrics(report),
  events: (report) => measureEvents(report),
  queries: async (report, counts) => {
    for (const count of counts.length > 0 ? counts : [10_000, 100_000, 1_000_000]) await measureQueries(report, count);
  },
  scale: async (report, [listings = 100_000, signals = 1_000_000]) => {
    if (postgresUrl !== undefined) await measureScale(report, postgresUrl, { listings, signals });
  },
  soak: async (report, [minutes = 30]) => {
    if (postgresUrl !== undefined) await measureSoak(report, postgresUrl, minutes);
  },
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'string' }, compare: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [part, ...rest] = positionals;
  if (values.compare === true) {
    const [earlier, later] = positionals.map((file) => JSON.parse(readFileSync(file, 'utf8')) as ReportFile);
    if (earlier === undefined || later === undefined) throw new Error(usage);
    return compareReports(earlier, later).forEach(out);
  }
  const counts = rest.map(Number);
  if ((part !== undefined && parts[part] === undefined) || counts.some((count) => !(count > 0))) throw new Error(usage);
  const report = createReport(out, (line) => void process.stderr.write(`${line}\n`));
  for (const [name, run] of Object.entries(parts))
    if (part === undefined ? name !== 'soak' : part === name) await run(report, counts);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report.file(), undefined, 1)}\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
