import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '../../errors.js';

/** No working anvil on this machine. The message says how to get one. */
export class AnvilUnavailableError extends OperatorError {
  readonly code = 'anvil_unavailable';

  constructor(tried: readonly string[]) {
    super(
      'The local demonstration chain needs anvil (1.7 or newer), and none was found that runs: ' +
        `${tried.join('; ')}. On Linux x64 with glibc 2.35 or newer, "npm install --include=optional" brings one; ` +
        'elsewhere install Foundry (https://getfoundry.sh), then put anvil on the PATH or its full path into ANVIL_BIN.',
    );
  }
}

const npmPackage = '@foundry-rs/anvil-linux-amd64';

/**
 * The path of a working anvil: only the configured one if set, else the npm package's, else the PATH's.
 *
 * @throws AnvilUnavailableError
 */
export async function findAnvil(configured?: string): Promise<string> {
  const candidates = configured ? [configured] : [...findInstalledBinary(), 'anvil'];
  const tried: string[] = [];
  for (const candidate of candidates) {
    const fault = await findFault(candidate);
    if (fault === undefined) return candidate;
    tried.push(`${candidate} (${fault})`);
  }
  throw new AnvilUnavailableError(tried);
}

/** The binary of the optional dependency; none when npm skipped it, as on other platforms. */
function findInstalledBinary(): string[] {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${npmPackage}/package.json`);
    return [join(dirname(manifest), 'bin', 'anvil')];
  } catch {
    return [];
  }
}

async function findFault(binary: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: 10_000 });
    return stdout.startsWith('anvil') ? undefined : 'is not anvil';
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1);
  }
}
