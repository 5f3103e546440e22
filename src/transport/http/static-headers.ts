/** Headers of every reply: CORS access for browsers, no content sniffing, no referrer. */
export const staticHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, Retry-After, Link, ETag, Request-Id, X-Total-Count, Feed-Version, Repr-Digest, RateLimit, RateLimit-Policy',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/**
 * Further headers of the OPTIONS reply. Official browser clients send Access-Control-Expose-Headers as a request
 * header.
 */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers':
    'PAYMENT-SIGNATURE, SIGN-IN-WITH-X, If-None-Match, Content-Type, Access-Control-Expose-Headers',
  'Access-Control-Max-Age': '86400',
  Allow: 'GET, HEAD, OPTIONS',
};

/** The OPTIONS headers of `/mcp`. */
export const mcpPreflightHeaders: Readonly<Record<string, string>> = {
  ...preflightHeaders,
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type, Accept, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  Allow: 'POST, OPTIONS',
};

/** A page may run and load only resources of this server: nothing inline, nothing from other origins. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
