import type { Reply } from '../service-client.js';

/** Replies that are here already, by path, so that the server need only be asked whether they are current. */
export interface KeptReplies {
  find(path: string): Reply | undefined;
  keep(path: string, reply: Reply): void;
}

const maxCharacters = 16_000_000;

/** Keeps replies with an ETag, those that were got last, up to a size. */
export function createKeptReplies(): KeptReplies {
  const replies = new Map<string, Reply>();
  let characters = 0;

  function drop(path: string): void {
    characters -= replies.get(path)?.text.length ?? 0;
    replies.delete(path);
  }

  return {
    find: (path) => replies.get(path),
    keep(path, reply) {
      drop(path);
      if (!reply.headers.has('etag') || reply.text.length > maxCharacters) return;
      replies.set(path, reply);
      characters += reply.text.length;
      for (const oldest of replies.keys()) {
        if (characters <= maxCharacters) return;
        drop(oldest);
      }
    },
  };
}
