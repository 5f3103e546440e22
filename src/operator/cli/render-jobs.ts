import type { JobLine } from '../socket/operator-commands.js';

/** The jobs as a table for a terminal: times in UTC to the minute, errors below the table. */
export function renderJobs(jobs: readonly JobLine[]): string {
  const rows = [
    ['JOB', 'LAST SLOT (UTC)', 'STATE', 'NEXT (UTC)'],
    ...jobs.map(({ job, lastSlot, state, next }) => [job, minute(lastSlot), state, minute(next)]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const errors = jobs.flatMap(({ job, error }) => (error === null ? [] : [`${job}: ${error}`]));
  return [...table, ...(errors.length > 0 ? ['', ...errors] : [])].map((line) => `${line}\n`).join('');
}

function minute(iso: string | null): string {
  return iso === null ? '-' : iso.slice(0, 16).replace('T', ' ');
}
