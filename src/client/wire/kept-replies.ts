import type { Reply } from '../service-client.js';

const maxCharacters = 16_000_000;

/**
 * Caches replies that have an ETag by path, newest first, up to a total size, so that the server only has to confirm
 * that they are current.
 */
export function createKeptReplies() {
  const replies = new Map<string, Reply>();
  let characters = 0;

  function drop(path: string): void {
    characters -= replies.get(path)?.text.length ?? 0;
    replies.delete(path);
  }

  return {
    find: (path: string): Reply | undefined => replies.get(path),
    keep(path: string, reply: Reply): void {
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
