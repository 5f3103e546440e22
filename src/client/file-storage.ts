import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PaymentStorage } from './payments/payment-storage.js';

/** Newest of the versions in a directory. */
interface Version {
  readonly number: number;
  readonly text: string | undefined;
}

const namePattern = /^payments\.([0-9]{1,15})\.json$/;

/**
 * Keeps payments in a directory of their own, for the user alone. Any number of processes may share it: each change is
 * a new version of the file, made under the next number by a link, which fails for all but one. Nothing depends on a
 * lock that a killed process would leave behind, and a version that is there is whole.
 */
export function createFileStorage(directory: string): PaymentStorage {
  /** Changes of this process take turns: only those of others are ever in the way. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    update(change) {
      const done = last.then(() => replace(directory, change));
      last = done.catch(() => undefined);
      return done;
    },
  };
}

async function replace(directory: string, change: (text: string | undefined) => string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (;;) {
    const current = await readNewest(directory);
    const text = change(current.text);
    if (text === current.text || (await publish(directory, current.number + 1, text))) return;
  }
}

async function readNewest(directory: string): Promise<Version> {
  for (;;) {
    const number = Math.max(0, ...(await listVersions(directory)));
    if (number === 0) return { number, text: undefined };
    const text = await readFile(nameOf(directory, number), 'utf8').catch(ignore('ENOENT'));
    if (text !== undefined) return { number, text }; // else it was replaced and taken away meanwhile
  }
}

/** False when somebody else has made a version of this number, or a later one, before. */
async function publish(directory: string, number: number, text: string): Promise<boolean> {
  const draft = join(directory, `draft.${randomUUID()}`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    const isFirst = await link(draft, nameOf(directory, number)).then(() => true, ignore('EEXIST'));
    if (isFirst !== true) return false;
  } finally {
    await rm(draft, { force: true });
  }
  const versions = await listVersions(directory);
  // The number was free because its file had been replaced and taken away already: what was read was not the newest.
  if (versions.some((each) => each > number)) return false;
  await syncDirectory(directory);
  const older = versions.filter((each) => each < number);
  await Promise.all(older.map((each) => rm(nameOf(directory, each), { force: true })));
  return true;
}

async function listVersions(directory: string): Promise<readonly number[]> {
  return (await readdir(directory)).flatMap((name) => {
    const [, number] = namePattern.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

/** Without this a power failure could take the new name away; where a directory cannot be opened it is not needed. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory).catch(ignore('EPERM', 'EISDIR', 'EACCES'));
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

function nameOf(directory: string, number: number): string {
  return join(directory, `payments.${number}.json`);
}

function ignore(...codes: readonly string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
