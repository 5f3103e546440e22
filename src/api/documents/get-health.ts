import type { Handler } from '../handler.js';

/** GET /healthz: the process can answer. */
export const getHealth: Handler<'getHealth'> = () => ({ status: 200, body: { status: 'alive' } });
