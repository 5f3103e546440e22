import { readFileSync } from 'node:fs';
import { findProjectFile } from '../project-file.js';
import type { SettingName } from './setting-schema.js';

/** Environment variables by name. */
export type EnvironmentValues = Readonly<Record<string, string | undefined>>;

/** One environment variable of the server. */
export interface Setting {
  /** One sentence, used in `.env.example` and error messages. */
  readonly description: string;
  /** Shown in `.env.example`. */
  readonly example: string;
  /** It may also come from a file, whose path is in the variable with `_FILE` behind the name. */
  readonly secret?: true;
  readonly group:
    'serve' | 'operate' | 'store' | 'read' | 'underwrite' | 'sell' | 'facilitate' | 'settle' | 'limit' | 'demonstrate';
}

/** Every environment variable of the server; `.env.example` is generated from this table. */
export const settings = JSON.parse(readFileSync(findProjectFile('src/config/settings.json'), 'utf8')) as Readonly<
  Record<SettingName, Setting>
>;

const titles: Readonly<Record<Setting['group'], string>> = {
  serve: 'Serving',
  operate: 'Watching',
  store: 'Storing',
  read: 'Reading sources: their keys are SOURCE_SECRET_... variables, named in the file',
  underwrite: 'Underwriting',
  sell: 'Selling: set all of these without a default, or none for a demonstration',
  facilitate: 'Settling through a facilitator instead of RELAYER_PRIVATE_KEYS: set the first of these',
  settle: 'Settling by the service itself, without a facilitator: all optional',
  limit: 'Limiting: each instance counts for itself',
  demonstrate: 'Demonstrating',
};

/** The text of `.env.example`. */
export function renderEnvExample(): string {
  const groups = (Object.keys(titles) as Setting['group'][]).map((group) => {
    const lines = Object.entries(settings)
      .filter(([, setting]) => setting.group === group)
      .map(([name, { description, example, secret }]) => {
        const file = secret ? ` Or ${name}_FILE: the path of a file with it.` : '';
        return `# ${description}${file}\n#${name}=${example}\n`;
      });
    return `## ${titles[group]}\n\n${lines.join('\n')}`;
  });
  return `# Copy to .env and remove the leading # of each setting to use. Without any, npm start runs the demonstration.\n\n${groups.join('\n')}`;
}

/** The text of docs/settings.md. */
export function renderSettingsPage(): string {
  const groups = (Object.keys(titles) as Setting['group'][]).map((group) => {
    const rows = Object.entries(settings)
      .filter(([, setting]) => setting.group === group)
      .map(([name, { description, example, secret }]) => {
        const file = secret ? ` Secret: also as \`${name}_FILE\`.` : '';
        return `| \`${name}\` | ${description}${file} | \`${example}\` |`;
      });
    return `## ${titles[group]}\n\n| setting | meaning | example |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Settings\n\nEach environment variable of the server. Written by \`npm run settings\` from the table that the server reads.\n\n${groups.join('\n')}`;
}
