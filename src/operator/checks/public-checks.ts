import { once } from 'node:events';
import { connect } from 'node:tls';
import type { ProxyPlace } from '../../limits/untrusted-proxies.js';
import { findIf, type Check, type CheckPorts, type Finding } from './check.js';

const limitMs = 3_000;
const soonDays = 14;

const proxyPlaces: Readonly<Record<ProxyPlace, readonly [where: string, cure?: string]>> = {
  loopback: ['on this machine', 'TRUSTED_PROXIES=loopback'],
  private: ['in the private network', 'TRUSTED_PROXIES=uniquelocal'],
  public: ['at a public address'],
};

/** What buyers meet: the address in PUBLIC_BASE_URL, and where agents look for services. */
export const publicChecks: readonly Check[] = [
  {
    id: 'public.reach',
    severity: 'warn',
    at: ['doctor'],
    finds: 'PUBLIC_BASE_URL leads elsewhere, its certificate ends soon, or a proxy changes what is sent',
    cure: 'Start the service, or correct PUBLIC_BASE_URL or the proxy in front.',
    look: findPublicFault,
  },
  {
    id: 'public.proxy',
    severity: 'warn',
    at: ['live'],
    isSlow: true,
    finds: 'a proxy forwards buyers and is not in TRUSTED_PROXIES: they share one limit',
    cure: 'Add the address of the proxy to TRUSTED_PROXIES.',
    look(ports) {
      const place = ports.findUntrustedProxy?.();
      if (place === undefined) return undefined;
      const [where, cure] = proxyPlaces[place];
      return {
        sentence: `A proxy ${where} forwards buyers, and is not in TRUSTED_PROXIES: they share one limit.`,
        ...(cure !== undefined && { cure }),
      };
    },
  },
  {
    id: 'discovery.bazaar',
    severity: 'warn',
    at: ['doctor'],
    finds: 'nothing was settled through a facilitator for 30 days, after which it may drop the listing',
    cure: 'Buy once yourself: npm run buy',
    async look({ config: { payment }, readContent }) {
      if (payment === undefined || payment.facilitators.length === 0) throw new Error('no facilitator is configured');
      const { soldLately } = await readContent();
      return findIf(!soldLately, () => ({ sentence: 'No sale was settled through the facilitator in 30 days.' }));
    },
  },
];

async function findPublicFault({ config: { publicBaseUrl: base }, now }: CheckPorts): Promise<Finding | undefined> {
  if (base === undefined) throw new Error('PUBLIC_BASE_URL is not set');
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(base + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(limitMs) });
  let distrust: string | undefined;
  const alive: unknown = await ask('/healthz')
    .then((reply) => reply.json())
    .catch((error: unknown) => (distrust = distrustIn(error)) && undefined);
  if (distrust !== undefined)
    return {
      sentence: `The certificate of ${base} is not trusted here: ${distrust}.`,
      cure: 'Take one of a known authority, or set NODE_EXTRA_CA_CERTS to the file of yours.',
    };
  if ((alive as { status?: unknown } | undefined)?.status !== 'alive')
    return { sentence: `${base} in PUBLIC_BASE_URL does not lead to this service.` };
  const offer = await ask('/api/deals');
  if (offer.status === 502 || (offer.status === 402 && !offer.headers.has('PAYMENT-REQUIRED')))
    return { sentence: `What stands before ${base} cuts the headers of a 402.`, cure: 'proxy_buffer_size 8k;' };
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  if ((await ask('/mcp', { method: 'POST', headers, body })).status === 403)
    return {
      sentence: `What stands before ${base} rewrites Host: /mcp refuses it.`,
      cure: 'proxy_set_header Host $host;',
    };
  return base.startsWith('https:') ? judgeCertificate(await readCertificateEnd(new URL(base)), now()) : undefined;
}

/** Why a certificate is not trusted, as Node names it; undefined for any other failure. */
function distrustIn(error: unknown): string | undefined {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  const code = String(cause?.code ?? '');
  return /CERT|SIGNATURE/.test(code) ? code : undefined;
}

/** Warns of a certificate that ends within 14 days. */
export function judgeCertificate(end: Date, now: Date): Finding | undefined {
  const days = Math.floor((end.getTime() - now.getTime()) / 86_400_000);
  if (days >= soonDays) return undefined;
  return { sentence: `The certificate of PUBLIC_BASE_URL ends in ${days} days.`, cure: 'Renew it.', figures: { days } };
}

async function readCertificateEnd({ hostname, port }: URL): Promise<Date> {
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(limitMs) });
    return new Date(socket.getPeerCertificate().valid_to);
  } finally {
    socket.destroy();
  }
}
