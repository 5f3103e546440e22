import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError, unreadable } from '../../source-error.js';
import type { FileFormat } from '../drop-manifest.js';

/** The files that together form a source's complete current listing set. */
export interface Delivery {
  /** Sorted by name, so that a cursor can refer to "file 2". */
  readonly files: readonly { readonly name: string; readonly path: string }[];
  /** Changes whenever a file is added, removed, replaced or written. */
  readonly digest: string;
}

export interface DeliveryQuery {
  readonly directory: string;
  /** A file name; `*` stands for any characters. */
  readonly pattern: string;
  readonly format: FileFormat;
  readonly now: Date;
}

/** Minimum time since the last write of a file without a `.done` marker. */
const settleMs = 60_000;
const unfinished = /\.(part|tmp)$/;

/**
 * Finds a delivery that is complete as a whole. Part of a delivery is never read, since rows missing from it would
 * retire.
 *
 * - Names ending in `.part` or `.tmp` are never read. While one announces a file that does not exist yet, the delivery
 *   is incomplete.
 * - A file is complete when `<file>.done` exists and is not older than it, or when its last write is at least
 *   one minute before `now`.
 * - It must not be empty or UTF-16, and an array must end with its bracket. The last line end may be missing.
 *
 * @throws SourceError `delivery_missing`, `delivery_incomplete` or `delivery_unreadable`
 */
export async function findDelivery(query: DeliveryQuery): Promise<Delivery> {
  const names = (await readdir(query.directory)).sort();
  const matches = matcherOf(query.pattern);
  const wanted = names.filter((name) => !unfinished.test(name) && !name.endsWith('.done') && matches(name));
  const announced = names.filter((name) => unfinished.test(name) && matches(name.replace(unfinished, '')));
  const pending = announced.find((name) => !wanted.includes(name.replace(unfinished, '')));
  if (pending !== undefined) throw incomplete(`${pending} is still being written`);
  if (wanted.length === 0) {
    throw new SourceError(
      'delivery_missing',
      `No file named ${query.pattern} is in the folder. Deliver it, or correct the manifest.`,
    );
  }
  const hash = createHash('sha256');
  const files = [];
  for (const name of wanted) {
    const path = join(query.directory, name);
    const status = await lstat(path);
    if (!status.isFile()) throw incomplete(`${name} is not a regular file`);
    if (!(await isComplete(path, status, query)))
      throw incomplete(`${name} was written to a moment ago and has no ${name}.done`);
    await assertWhole(name, path, status.size, query.format);
    hash.update(JSON.stringify([name, status.size, status.mtimeMs, status.ino]));
    files.push({ name, path });
  }
  return { files, digest: hash.digest('hex') };
}

async function isComplete(path: string, status: Stats, query: DeliveryQuery): Promise<boolean> {
  if (status.mtimeMs <= query.now.getTime() - settleMs) return true;
  const marker = await lstat(`${path}.done`).catch(() => undefined);
  return marker !== undefined && marker.isFile() && marker.mtimeMs >= status.mtimeMs;
}

/** Cheap checks before any row is read: the first bytes reveal UTF-16, the last ones a truncated file. */
async function assertWhole(name: string, path: string, size: number, format: DeliveryQuery['format']): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(Math.min(size, 4));
    await handle.read(head, 0, head.length, 0);
    if (format !== 'xlsx' && (head.includes(0) || /^(\xff\xfe|\xfe\xff)/.test(head.toString('latin1')))) {
      throw unreadable(`${name} is not UTF-8 (it looks like UTF-16). Deliver it as UTF-8.`);
    }
    const tail = Buffer.alloc(Math.min(size, 4096));
    await handle.read(tail, 0, tail.length, size - tail.length);
    if (size === 0) throw incomplete(`${name} is empty`);
    if (format === 'json' && !/\]\s*$/.test(tail.toString('latin1')))
      throw incomplete(`${name} does not end with the closing bracket of its array, so it may be cut off`);
  } finally {
    await handle.close();
  }
}

function matcherOf(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  return (name) => name !== 'manifest.json' && expression.test(name);
}

function incomplete(what: string): SourceError {
  return new SourceError(
    'delivery_incomplete',
    `The delivery is not complete: ${what}. Nothing was read; finish or repeat the delivery.`,
  );
}
