import type { Random } from '../../simulation/random.js';
import type { Scheduler } from '../../simulation/scheduler.js';
import type { Answer } from '../mock-server.js';
import type { ModelService } from './model-service.js';

export interface ModelNetworkPorts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly note: (fault: string) => void;
  readonly service: ModelService;
}

export interface ModelNetwork {
  readonly fetch: typeof globalThis.fetch;
  calmDown(): void;
}

/** The client's request timeout. */
const timeoutMs = 90_000;

/** A model of the network: it may lose messages, delay them for minutes, or answer itself. */
export function createModelNetwork({ scheduler, random, note, service }: ModelNetworkPorts): ModelNetwork {
  let isCalm = false;
  const happens = (fault: string, probability: number): boolean => {
    const does = !isCalm && random.chance(probability);
    if (does) note(fault);
    return does;
  };

  return {
    fetch: (input) =>
      new Promise((resolve, reject) => {
        if (!(input instanceof Request)) throw new TypeError('The generated client sends requests');
        const { pathname, search } = new URL(input.url);
        const fail = (delayMs: number) => void scheduler.after(delayMs, () => reject(new TypeError('fetch failed')));
        const deliver = (answer: Answer | undefined): void => {
          if (answer === undefined || happens('reply lost', 0.08)) return fail(10);
          scheduler.after(random.between(1, 150), () => resolve(toResponse(answer, happens('reply breaks off', 0.05))));
        };
        fail(timeoutMs);
        if (happens('request lost', 0.06)) return fail(50);
        const isLate = happens('request late', 0.06);
        if (isLate) fail(random.between(100, 5_000));
        if (happens('a proxy answers', 0.04))
          scheduler.after(200, () => resolve(new Response('<h1>Bad gateway</h1>', { status: 502 })));
        scheduler.after(isLate ? random.between(1_000, 500_000) : random.between(1, 150), () => {
          void service.answer({ path: pathname + search, headers: input.headers }).then(deliver);
        });
      }),
    calmDown: () => void (isCalm = true),
  };
}

function toResponse(answer: Answer, isBroken: boolean): Response {
  if (answer === 'hang_up') throw new TypeError('The model has its own ways to fail');
  const { status, headers = {}, body } = answer;
  const init = {
    status,
    headers: { 'Content-Type': status === 200 ? 'application/json' : 'application/problem+json', ...headers },
  };
  if (body === undefined) return new Response(null, init);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (!isBroken) return new Response(text, init);
  const cut = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 5)));
      controller.error(new TypeError('terminated'));
    },
  });
  return new Response(cut, init);
}
