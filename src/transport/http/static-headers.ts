/** Headers of every reply: what browsers may read and send, and what they must not guess. */
export const staticHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, Retry-After, Link, ETag, Request-Id, X-Total-Count, Feed-Version, Repr-Digest, RateLimit, RateLimit-Policy',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/**
 * Further headers of the reply to OPTIONS. Official browser clients send Access-Control-Expose-Headers as a request
 * header.
 */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers':
    'PAYMENT-SIGNATURE, SIGN-IN-WITH-X, If-None-Match, Content-Type, Access-Control-Expose-Headers',
  'Access-Control-Max-Age': '86400',
  Allow: 'GET, HEAD, OPTIONS',
};

/** The same for the tools of `/mcp`. */
export const mcpPreflightHeaders: Readonly<Record<string, string>> = {
  ...preflightHeaders,
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type, Accept, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  Allow: 'POST, OPTIONS',
};

/** A page may run and load what this server gives it, nothing that stands in it and nothing from elsewhere. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
