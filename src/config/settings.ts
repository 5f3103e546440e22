/** One environment variable of the server. */
export interface Setting {
  /** One sentence, used in `.env.example` and error messages. */
  readonly description: string;
  /** Shown in `.env.example`. */
  readonly example: string;
  readonly group:
    'serve' | 'store' | 'read' | 'underwrite' | 'sell' | 'facilitate' | 'settle' | 'limit' | 'demonstrate';
}

/** Every environment variable of the server; `.env.example` is generated from this table. */
export const settings = {
  HOST: { group: 'serve', example: '127.0.0.1', description: 'Address to listen on.' },
  PORT: { group: 'serve', example: '4021', description: 'Port to listen on.' },
  PUBLIC_BASE_URL: {
    group: 'serve',
    example: 'https://deals.example.com',
    description: 'URL at which buyers reach the server; payments name it. Default: the listening address.',
  },
  SERVER_SECRET: {
    group: 'serve',
    example: 'at-least-32-random-characters-shared-by-all-instances',
    description:
      'Signs page tokens and ETags; the same on all instances. Default: generated at the first start and stored.',
  },
  SERVER_SECRET_PREVIOUS: {
    group: 'serve',
    example: 'the-secret-before-or-after-while-it-is-changed',
    description: 'Also accepted, while SERVER_SECRET is being changed. Default: none.',
  },
  TRUSTED_PROXIES: {
    group: 'serve',
    example: 'loopback, 10.0.0.0/8',
    description:
      'Proxies whose X-Forwarded-For is trusted: addresses, ranges, loopback, linklocal, uniquelocal. Default: none.',
  },
  NODE_ENV: {
    group: 'serve',
    example: 'production',
    description: 'With production, no demonstration starts unless DEMONSTRATION=true. Default: none.',
  },
  LOG_LEVEL: { group: 'serve', example: 'info', description: 'trace, debug, info, warn, error or silent.' },
  DATA_DIR: {
    group: 'store',
    example: './data',
    description: 'Directory of the embedded database and the local chain.',
  },
  DROP_DIR: {
    group: 'store',
    example: './data/drop',
    description: 'Directory of the drop folders. Default: drop in DATA_DIR.',
  },
  INSTANCE_NAME: {
    group: 'store',
    example: 'deals-1',
    description: 'Name of this instance for its operator, when several share a database. Default: the host name.',
  },
  DATABASE_URL: {
    group: 'store',
    example: 'postgres://user:password@localhost:5432/deals',
    description: 'PostgreSQL 15 or later. Default: an embedded database in DATA_DIR.',
  },
  DATABASE_POOL_SIZE: { group: 'store', example: '10', description: 'Connections to PostgreSQL.' },
  SOURCES_FILE: {
    group: 'read',
    example: './sources.json',
    description: 'File that lists the sources read over HTTP; sources.example.json shows every kind. Default: none.',
  },
  CONTACT_URL: {
    group: 'read',
    example: 'https://deals.example.com/about',
    description:
      'Page about this service for operators of the servers it reads; part of the user agent. Default: PUBLIC_BASE_URL.',
  },
  MORTGAGE_RATES: {
    group: 'underwrite',
    example:
      '{"as_of":"2026-11-01","source":"quotes of three banks","one_to_four_units_pct":"7.00","five_plus_units_pct":"6.75"}',
    description:
      'Interest rates of the underwriting, as JSON: the oldest day and the source of their grounds, and the percent a year for each size of building. A new rate underwrites everything again. Default: the rates that the program carries.',
  },
  NETWORK: {
    group: 'sell',
    example: 'eip155:8453',
    description: 'Network on which payments settle: eip155:8453 (Base) or eip155:84532 (Base Sepolia, a test network).',
  },
  PAY_TO: {
    group: 'sell',
    example: '0x0000000000000000000000000000000000000000',
    description: 'Address that receives payments.',
  },
  RPC_URL: {
    group: 'sell',
    example: 'https://rpc.example.com',
    description: 'RPC endpoint of the network, used to verify, settle and prove payments.',
  },
  RPC_BLOCKS_PER_CALL: {
    group: 'sell',
    example: '2000',
    description: 'Maximum number of blocks of one eth_getLogs at the RPC endpoint. Default: 2000.',
  },
  RELAYER_PRIVATE_KEYS: {
    group: 'sell',
    example: '0x-and-64-hexadecimal-digits, 0x-and-64-more',
    description:
      'Keys of the accounts that submit settlements and pay their gas, one for each instance; the same list on all. Never the key of PAY_TO.',
  },
  RECEIPT_PRIVATE_KEY: {
    group: 'sell',
    example: '0x-and-64-hexadecimal-digits',
    description:
      'Key that signs offers and receipts; needs no funds, never the key of PAY_TO or of the relayer. Default: none are signed.',
  },
  REPLY_RETENTION_HOURS: {
    group: 'sell',
    example: '192',
    description:
      'Minimum time for which buyers can get a paid reply again; from 24 to 87600. Default: 192, eight days.',
  },
  FACILITATOR_URL: {
    group: 'facilitate',
    example: 'https://facilitator.example.com',
    description: 'x402 v2 facilitator that settles, instead of RELAYER_PRIVATE_KEYS.',
  },
  FACILITATOR_HEADERS: {
    group: 'facilitate',
    example: '{"X-Api-Key":"the-key"}',
    description: 'Headers that it requires with every request, as a JSON object.',
  },
  FACILITATOR_KEY_ID: {
    group: 'facilitate',
    example: 'the-id-of-the-api-key',
    description: 'Id of the key that signs a token for every request, as the Coinbase Developer Platform requires.',
  },
  FACILITATOR_KEY_SECRET: {
    group: 'facilitate',
    example: 'base64-or-pem-with-\\n-for-line-ends',
    description: 'Secret of that key: Ed25519 (64 bytes in base64, or PEM) or P-256 (PEM).',
  },
  FACILITATOR_VERIFY_SECONDS: {
    group: 'facilitate',
    example: '5',
    description: 'Timeout of verification at a facilitator; then the second one is asked. From 1 to 20. Default: 5.',
  },
  FACILITATOR_SETTLE_SECONDS: {
    group: 'facilitate',
    example: '20',
    description: 'Timeout of settlement; then only the chain decides the outcome. From 5 to 40. Default: 20.',
  },
  FACILITATOR_FALLBACK_URL: {
    group: 'facilitate',
    example: 'https://other-facilitator.example.com',
    description: 'Second facilitator, which verifies payments when the first does not answer. It never settles.',
  },
  FACILITATOR_FALLBACK_HEADERS: {
    group: 'facilitate',
    example: '{"X-Api-Key":"the-other-key"}',
    description: 'Headers that the second one requires.',
  },
  FACILITATOR_FALLBACK_KEY_ID: {
    group: 'facilitate',
    example: 'the-id-of-the-other-api-key',
    description: 'Id of the key that signs tokens for the second one.',
  },
  FACILITATOR_FALLBACK_KEY_SECRET: {
    group: 'facilitate',
    example: 'base64-or-pem-with-\\n-for-line-ends',
    description: 'Secret of that key.',
  },
  UNPAID_CALLS_PER_MINUTE: {
    group: 'limit',
    example: '600',
    description: 'Calls from one address (IPv6: one /64) without a payment signed by its payer.',
  },
  UNBILLED_CALLS_PER_MINUTE: {
    group: 'limit',
    example: '60',
    description:
      'Calls of one payer with a verified payment that end without a sale, for example because nothing matches.',
  },
  PAID_CALLS_PER_PAYER: { group: 'limit', example: '100', description: 'Concurrent paid calls of one payer.' },
  PAID_CALLS_AT_ONCE: { group: 'limit', example: '1000', description: 'Concurrent paid calls of all payers.' },
  WALLET_CHECKS_PER_ADDRESS: {
    group: 'limit',
    example: '10',
    description:
      "Signatures per minute from one address that only the payer's own contract can check; each needs a chain call.",
  },
  WALLET_CHECKS_PER_MINUTE: {
    group: 'limit',
    example: '120',
    description: 'The same for all addresses; 0 sells to plain accounts only.',
  },
  SETTLE_BATCH_WINDOW_MS: {
    group: 'settle',
    example: '200',
    description:
      'How long a payment waits for others to share its transaction, while earlier ones are mined. 0: each goes alone. Default: 200.',
  },
  SETTLE_BATCH_SIZE: {
    group: 'settle',
    example: '20',
    description:
      'Maximum number of payments in one transaction: with 20, each costs less than two thirds of the gas. Default: 20.',
  },
  CONFIRMATIONS: {
    group: 'settle',
    example: '1',
    description: 'Number of blocks a settlement needs before the data is delivered. Default: 1, its own block.',
  },
  FEE_BUMP_SECONDS: {
    group: 'settle',
    example: '10',
    description: 'A transaction not mined within this time is replaced by one with higher fees. Default: 10.',
  },
  RELAYER_MAX_FEE_GWEI: {
    group: 'settle',
    example: '10',
    description: 'Maximum price offered per unit of gas, such as 0.5; above it nothing is sold. Default: 10.',
  },
  RELAYER_LOW_SETTLEMENTS: {
    group: 'settle',
    example: '200',
    description: 'The log warns when the relayer can pay the gas of fewer payments than this. Default: 200.',
  },
  FAILED_GAS_PER_HOUR: {
    group: 'settle',
    example: '1000000',
    description:
      'Units of gas that failed transfers may burn in an hour before newcomers and payers with code must wait. Default: 1000000.',
  },
  DEMONSTRATION: {
    group: 'demonstrate',
    example: 'true',
    description:
      'Whether to run the demonstration, which takes no payment settings. Default: only on a terminal or by npm start.',
  },
  ANVIL_BIN: {
    group: 'demonstrate',
    example: '/usr/local/bin/anvil',
    description: 'Local chain of the demonstration, when its npm package does not support this machine.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

const titles: Readonly<Record<Setting['group'], string>> = {
  serve: 'Serving',
  store: 'Storing',
  read: 'Reading sources: their keys are SOURCE_SECRET_... variables, named in the file',
  underwrite: 'Underwriting',
  sell: 'Selling: set all of these without a default, or none for a demonstration',
  facilitate: 'Settling through a facilitator instead of RELAYER_PRIVATE_KEYS: set the first of these',
  settle: 'Settling by the service itself, without a facilitator: all optional',
  limit: 'Limiting: each instance counts for itself',
  demonstrate: 'Demonstrating',
};

/** The text of `.env.example`. */
export function renderEnvExample(): string {
  const groups = (Object.keys(titles) as Setting['group'][]).map((group) => {
    const lines = Object.entries(settings)
      .filter(([, setting]) => setting.group === group)
      .map(([name, { description, example }]) => `# ${description}\n#${name}=${example}\n`);
    return `## ${titles[group]}\n\n${lines.join('\n')}`;
  });
  return `# Copy to .env and remove the leading # of each setting to use. Without any, npm start runs the demonstration.\n\n${groups.join('\n')}`;
}
