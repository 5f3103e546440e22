import { readChallenge, type Challenge } from '../payments/challenge.js';
import { createPurchaseError } from '../error-classes.js';
import { problemError, readProblem } from './read-problem.js';
import { sendPatiently, type Patience } from './send-patiently.js';
import type { Reply, SendRequest } from '../service-client.js';

/** The result of an unpaid request. */
export type Asked =
  /** The data, or a 304 when the named ETag is still current. */
  { readonly kind: 'free'; readonly reply: Reply } | { readonly kind: 'priced'; readonly challenge: Challenge };

/**
 * Sends an unpaid request; waits when the server asks to retry later.
 * @throws PurchaseError with the server's reason; also for a 402 about faulty parameters, whatever it offers, because
 *   a payment for that request would be refused. `server_unreachable` when no answer arrives.
 */
export async function ask(
  send: SendRequest,
  path: string,
  patience: Patience,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const isBusy = (reply: Reply | undefined) => {
    const problem = reply && readProblem(reply);
    return problem?.retryable ?? (patience.outlastsSilence === true && (reply === undefined || reply.status >= 500));
  };
  const reply = await sendPatiently(() => send(path, headers), isBusy, patience);
  if (reply === undefined) throw createPurchaseError('server_unreachable', 'The server does not answer.');
  if (reply.status === 200 || reply.status === 304) return { kind: 'free', reply };
  const isFaulty = (readProblem(reply)?.errors.length ?? 0) > 0;
  if (reply.status !== 402 || isFaulty) throw problemError(reply);
  return { kind: 'priced', challenge: readChallenge(reply) };
}
