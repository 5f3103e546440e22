import type { Settler } from './settler.js';

/** The settler of a server that has no chain to speak to: every payment is refused before anything is sent. */
export const unavailableSettler: Settler = {
  verify: async () => ({ verdict: 'unavailable', detail: 'there is no chain' }),
  settle: async () => ({ outcome: 'failed', reason: 'unexpected_settle_error', detail: 'there is no chain' }),
  close: async () => undefined,
};
