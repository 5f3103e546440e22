import { chainChecks } from './chain-checks.js';
import type { Check } from './check.js';
import { dataChecks } from './data-checks.js';
import { databaseChecks } from './database-checks.js';
import { machineChecks } from './machine-checks.js';
import { publicChecks } from './public-checks.js';
import { relayerChecks } from './relayer-checks.js';
import { settingsChecks } from './settings-checks.js';

/** Everything that can be wrong, in the order in which it is told. */
export const checks: readonly Check[] = [
  ...settingsChecks,
  ...machineChecks,
  ...databaseChecks,
  ...chainChecks,
  ...relayerChecks,
  ...dataChecks,
  ...publicChecks,
];

/** docs/runbook.md. */
export function renderRunbook(): string {
  const rows = checks.map(
    ({ id, severity, finds, cure }) => `| \`${id}\` | ${severity.replace('_', ' ')} | ${finds} | ${cure} |\n`,
  );
  return `${runbook}${rows.join('').replace(/<(\w+)>/g, '\\<$1>')}`;
}

const runbook = `# Runbook

Everything that the service finds wrong by itself. \`npm run cli -- doctor\` looks at all of it, and says for each finding what it
has met and what to do; \`/readyz\` names the checks that keep a running service from selling. This table is made from the checks
by \`npm run runbook\`.

- refuse: the service does not start until somebody edits something.
- not ready: it runs, serves what is free and what was paid before, and answers 503 where it would sell. One good look ends that.
- warn: it sells, and the log says so when it changes.

| Check | At worst | Finds | What to do |
|---|---|---|---|
`;
