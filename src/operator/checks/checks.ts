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

const head = '| Check | At worst | Finds | What to do |\n|---|---|---|---|\n';

/** docs/runbook.md with the present checks in its table; `page` is the file as it is. */
export function renderRunbook(page: string): string {
  const [written = ''] = page.split(head, 1);
  const rows = checks.map(
    ({ id, severity, finds, cure }) => `| \`${id}\` | ${severity.replace('_', ' ')} | ${finds} | ${cure} |\n`,
  );
  return `${written}${head}${rows.join('').replace(/<(\w+)>/g, '\\<$1>')}`;
}
