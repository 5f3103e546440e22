import { createHash, randomUUID } from 'node:crypto';
import { link, open, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../project-file.js';
import type { PaymentStorage, ReplyStorage } from './payments/payment-storage.js';

/** The newest version in a directory. */
interface Version {
  readonly number: number;
  readonly text: string | undefined;
}

const namePattern = /^payments\.([0-9]{1,15})\.json$/;

/**
 * Keeps payments in a directory of their own, readable only by the user. Any number of processes may share it. Each
 * change is a new version, published by a hard link to the next number; only one process can create that link. No lock
 * survives a killed process, and every published version is complete. Replies with an ETag are kept beside them, 20 MB
 * at most and for 30 days.
 */
export function createFileStorage(directory: string, now = () => new Date()): PaymentStorage {
  /** Serializes the changes of this process, so that only other processes can conflict. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    replies: createReplyFiles(join(directory, 'replies'), now),
    update(change) {
      const done = last.then(() => replace(directory, change));
      last = done.catch(() => undefined);
      return done;
    },
  };
}

async function replace(directory: string, change: (text: string | undefined) => string): Promise<void> {
  makeDirectory(directory, 0o700);
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
    if (text !== undefined) return { number, text }; // else another process replaced and removed it meanwhile
  }
}

/** False when another process has published this version number, or a later one. */
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
  // A later version exists, so this number was free only because its file was already replaced and removed.
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

/** Makes the new name survive a power failure. Systems that cannot open a directory do not need this. */
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

const maxReplyBytes = 20_000_000;
const maxReplyAgeMs = 30 * 86_400_000;

/** Keeps each reply in a file of its own, with the reply's time. A torn file is no JSON, so it counts as none. */
function createReplyFiles(directory: string, now: () => Date): ReplyStorage {
  const pathOf = (key: string) => join(directory, `${createHash('sha256').update(key).digest('hex')}.json`);
  return {
    async find(key) {
      const { mtimeMs } = (await stat(pathOf(key)).catch(ignore('ENOENT'))) ?? { mtimeMs: 0 };
      if (mtimeMs <= now().getTime() - maxReplyAgeMs) return undefined;
      return readFile(pathOf(key), 'utf8').catch(ignore('ENOENT'));
    },
    async keep(key, text) {
      makeDirectory(directory, 0o700);
      const draft = join(directory, `draft.${randomUUID()}`);
      await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
      await utimes(draft, now(), now());
      await rename(draft, pathOf(key));
      await dropOldest(directory, now().getTime() - maxReplyAgeMs);
    },
  };
}

/** Removes what is older than the given time, and the oldest beyond 20 MB. */
async function dropOldest(directory: string, oldestMs: number): Promise<void> {
  const paths = (await readdir(directory)).map((name) => join(directory, name));
  const files = await Promise.all(
    paths.map(async (path) => ({ path, stats: await stat(path).catch(ignore('ENOENT')) })),
  );
  let bytes = 0;
  for (const { path, stats } of files.sort((a, b) => (b.stats?.mtimeMs ?? 0) - (a.stats?.mtimeMs ?? 0))) {
    bytes += stats?.size ?? 0;
    if (bytes > maxReplyBytes || (stats?.mtimeMs ?? 0) <= oldestMs) await rm(path, { force: true });
  }
}
