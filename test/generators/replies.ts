import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectFile } from '../../src/project-file.js';

/** Where recorded replies are kept: `<operationId>.<status>.<case>.json`. */
export const repliesDirectory = findProjectFile('test/generators/replies');

/** Begins the case of a reply in another view than the first, which the documents for generators do not have. */
export const otherView = 'view-';

export interface RecordedReply {
  readonly file: string;
  readonly operationId: string;
  readonly status: number;
  readonly body: unknown;
  /** Whether the documents for generators have it. */
  readonly isPlain: boolean;
}

/** The recorded replies, by name. */
export function readReplies(): RecordedReply[] {
  return readdirSync(repliesDirectory)
    .sort()
    .map((name) => {
      const file = join(repliesDirectory, name);
      const [operationId = '', status, kind] = name.split('.');
      const body = JSON.parse(readFileSync(file, 'utf8')) as unknown;
      return { file, operationId, status: Number(status), body, isPlain: kind?.startsWith(otherView) === false };
    });
}
