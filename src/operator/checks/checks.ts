import { chainChecks } from './chain-checks.js';
import type { Check } from './check.js';
import { dataChecks } from './data-checks.js';
import { databaseChecks } from './database-checks.js';
import { machineChecks } from './machine-checks.js';
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
];

/** The lines of docs/runbook.md. */
export function renderRunbookLines(): string {
  const rows = checks.map(({ id, severity, finds }) => `| ${id} | ${severity.replace('_', ' ')} | ${finds} |\n`);
  return `| Check | At worst | Finds |\n|---|---|---|\n${rows.join('')}`;
}
