import { BaseError } from 'viem';

/** What went wrong with a node, in one line without addresses: the RPC URL often carries a key. */
export function describeFault(error: unknown): string {
  const text =
    error instanceof BaseError
      ? [error.shortMessage, error.details].filter(Boolean).join(' ')
      : error instanceof Error
        ? error.message
        : String(error);
  return text
    .replace(/\w+:\/\/\S+/g, '[url]')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}
