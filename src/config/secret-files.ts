import { readFileSync } from 'node:fs';
import { settings, type EnvironmentValues } from './settings.js';

const suffix = '_FILE';

/** Values of secret settings as files hold them, such as a container's secrets, and what is wrong with the files. */
export interface SecretFiles {
  readonly values: EnvironmentValues;
  /** Sentences with the name, what to do, and no part of the file. */
  readonly faults: readonly string[];
}

/**
 * Reads the file of each `NAME_FILE` variable, where NAME is a secret setting or a source's key. The text is trimmed.
 * A name that is given both ways, and a file that is empty or cannot be read, is a fault.
 */
export function readSecretFiles(environment: EnvironmentValues): SecretFiles {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const [variable, path = ''] of Object.entries(environment)) {
    if (!isSecretFile(variable) || path.trim() === '') continue;
    const name = variable.slice(0, -suffix.length);
    if ((environment[name] ?? '').trim() !== '') faults.push(`${variable}: ${name} is given too. Give one of the two.`);
    else {
      const text = readSecret(path.trim());
      if (text === '')
        faults.push(`${variable}: the file cannot be read, or is empty. Let the user of this process read it.`);
      else values[name] = text;
    }
  }
  return { values, faults };
}

/** True for the variable with the path of a secret's file. */
export function isSecretFile(variable: string): boolean {
  if (!variable.endsWith(suffix)) return false;
  const name = variable.slice(0, -suffix.length);
  return (
    isSourceSecret(name) || (Object.hasOwn(settings, name) && settings[name as keyof typeof settings].secret === true)
  );
}

/** Keys of sources: the operator chooses their names, so no table lists them. */
export function isSourceSecret(name: string): boolean {
  return /^SOURCE_SECRET_[A-Z0-9_]{1,60}$/.test(name) && !name.endsWith(suffix);
}

function readSecret(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
