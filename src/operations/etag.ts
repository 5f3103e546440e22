import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { contentDigest, type Bytes } from '../contract/rendered.js';
import type { Secrets } from '../secrets/secrets.js';

const tagLength = 22;

/** The strong tags of a reply: the current tag, then those under the other accepted secrets. */
export type TagsOf = (canonical: string, revision: string) => readonly [string, ...string[]];

/**
 * Creates the keyed tags of one operation's replies, over operation, canonical parameters and revision: a tag changes
 * with the reply, and nobody without a secret can guess the tag of an unbought reply.
 */
export function createTagsOf([secret, ...others]: Secrets, operationId: string): TagsOf {
  const known = new LRUCache<string, readonly [string, ...string[]]>({ max: 1_000 });
  return (canonical, revision) => {
    const named = `${operationId}\n${canonical}\n${revision}`;
    const seen = known.get(named);
    if (seen !== undefined) return seen;
    const digests = [secret, ...others].map((by) => createHmac('sha256', by).update(named).digest('base64url'));
    const [tag = '', ...accepted] = digests.map((digest) => `"${digest.slice(0, tagLength)}"`);
    known.set(named, [tag, ...accepted]);
    return [tag, ...accepted];
  };
}

/** The tag of a reply without a revision: a digest of its body. */
export function tagOfBody(body: Bytes): string {
  return `"${contentDigest(body).toString('base64url').slice(0, tagLength)}"`;
}

/**
 * The first tag in an If-None-Match header that names the reply or a compressed copy of it, as the caller sent it;
 * undefined if there is none. Weak tags count (RFC 9110).
 */
export function findTag(ifNoneMatch: string | undefined, tags: readonly string[]): string | undefined {
  if (ifNoneMatch === undefined) return undefined;
  return ifNoneMatch
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .find((each) => tags.includes(each) || tags.includes(each.replace(/-(br|gzip)"$/, '"')));
}
