import type { SettingFinding } from '../../config/setting-faults.js';
import { findKeyFault } from '../../payments/settlement/key-roles.js';
import type { Check, Severity } from './check.js';

const edit = 'Correct it in .env, or in the environment of the process; .env.example describes each setting.';

/** How the service is configured. */
export const settingsChecks: readonly Check[] = [
  settingsCheck('settings.value', 'refuse', edit, 'a value that is malformed, given twice, published, or unreadable'),
  settingsCheck('settings.missing', 'refuse', edit, 'half of what selling needs'),
  settingsCheck('settings.unknown', 'refuse', 'Correct the name, or remove it.', 'a name that is no setting'),
  settingsCheck('settings.env_file', 'warn', 'chmod 600 .env', '`.env` can be read by others'),
  settingsCheck('settings.demonstration', 'refuse', edit, 'nothing to sell, and nobody asked for a demonstration'),
  settingsCheck('settings.exposure', 'refuse', edit, 'an address without TLS where money is real'),
  {
    id: 'keys.role',
    severity: 'refuse',
    at: ['start', 'doctor'],
    finds: 'a public test key, or one key in two roles',
    cure: 'Make a new key for each role.',
    look: ({ config: { payment } }) => {
      const sentence = payment && findKeyFault(payment);
      return sentence === undefined ? undefined : { sentence };
    },
  },
];

function settingsCheck(id: SettingFinding['check'], severity: Severity, cure: string, finds: string): Check {
  return {
    id,
    severity,
    at: ['doctor'],
    finds,
    cure,
    look({ findings }) {
      const found = findings.filter(({ check }) => check === id);
      if (found.length === 0) return undefined;
      const worst = found.some((each) => each.severity === 'refuse') ? 'refuse' : 'warn';
      return { sentence: found.map(({ sentence }) => sentence).join(' '), severity: worst };
    },
  };
}
