import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { contentDigest, type Bytes } from '../contract/rendered.js';
import type { Secrets } from '../secrets/secrets.js';

const tagLength = 22;

/** The strong tags of a reply: the one that it gets, then those that it got under other secrets that are accepted. */
export type TagsOf = (canonical: string, revision: string) => readonly [string, ...string[]];

/**
 * Makes the keyed tags of one operation's replies, over operation, canonical parameters and revision: a tag changes
 * when the reply changes, and without a secret the tag of a reply that was not bought cannot be guessed.
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

/** The tag of a reply that depends on nothing but its bytes. */
export function tagOfBody(body: Bytes): string {
  return `"${contentDigest(body).toString('base64url').slice(0, tagLength)}"`;
}

/**
 * The tag among those of an If-None-Match header that names the same reply, as its caller has it: one of the reply's
 * tags or that of a compressed copy. Undefined when none does. Weak tags count, as RFC 9110 has it.
 */
export function findTag(ifNoneMatch: string | undefined, tags: readonly string[]): string | undefined {
  if (ifNoneMatch === undefined) return undefined;
  return ifNoneMatch
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .find((each) => tags.includes(each) || tags.includes(each.replace(/-(br|gzip)"$/, '"')));
}
