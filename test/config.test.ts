import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readConfig } from '../src/config.js';
import { OperatorError } from '../src/errors.js';
import { findProjectFile } from '../src/project-file.js';
import { renderEnvExample, settings } from '../src/settings.js';

/** What a production server is given; every secret is recognisable. */
const production = {
  PAY_TO: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  RPC_URL: 'https://rpc.example.com/v2/secret-of-the-rpc',
  RELAYER_PRIVATE_KEY: `0x${'5ec2e7'.repeat(10)}5ec2`,
  DATABASE_URL: 'postgres://deals:secret-of-the-database@db.example.com:5432/deals',
  PUBLIC_BASE_URL: 'https://deals.example.org',
  SERVER_SECRET: 'secret-of-the-server-0123456789abcdef',
} as const;

/** The faults that a configuration is refused for, one line each. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    assert.ok(error instanceof OperatorError);
    assert.doesNotMatch(error.message, /secret-of|5ec2e7/, 'a secret stands in the message');
    const [title, ...faults] = error.message.split('\n');
    assert.equal(title, 'The configuration cannot work:');
    return faults.map((fault) => fault.replace(/^ {2}- /, ''));
  }
  return [];
}

describe('the configuration', () => {
  it('needs nothing at all: then the server demonstrates itself on this machine', () => {
    const config = readConfig({});
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.port, 4021);
    assert.equal(config.payment, undefined);
    assert.equal(config.databaseUrl, undefined);
  });

  it('takes an empty value for none, and trims what is given', () => {
    const config = readConfig({ PORT: '', DATABASE_URL: '   ', LOG_LEVEL: ' warn ' });
    assert.deepEqual([config.port, config.databaseUrl, config.logLevel], [4021, undefined, 'warn']);
  });

  it('sells on Base when nothing else is said', () => {
    const config = readConfig(production);
    assert.equal(config.payment?.network.id, 'eip155:8453');
    assert.equal(config.payment.payTo, production.PAY_TO);
    assert.equal(config.publicBaseUrl, 'https://deals.example.org');
    assert.equal(readConfig({ ...production, NETWORK: 'eip155:84532' }).payment?.network.label, 'Base Sepolia');
  });

  for (const name of Object.keys(production) as (keyof typeof production)[]) {
    it(`does not sell without ${name}, and says what it is`, () => {
      const { [name]: _, ...others } = production;
      const faults = faultsOf(others);
      assert.deepEqual(faults, [`${name}: needed to sell. ${settings[name].description}`]);
    });
  }

  it('never falls back to a demonstration when one word of selling was said', () => {
    for (const name of ['NETWORK', 'PAY_TO', 'RPC_URL', 'RELAYER_PRIVATE_KEY'] as const) {
      const value = name === 'NETWORK' ? 'eip155:8453' : production[name];
      const faults = faultsOf({ [name]: value });
      assert.ok(faults.length >= 5 && faults.every((fault) => fault.includes('needed to sell')), name);
    }
  });

  const wrong: readonly [string, string, RegExp][] = [
    ['PORT', '65536', /whole number from 0 to 65535/],
    ['PORT', '0x1F', /whole number/],
    ['PORT', '1e3', /whole number/],
    ['PORT', '80.5', /whole number/],
    ['PORT', '-1', /whole number/],
    ['PORT', 'http', /whole number/],
    ['DATABASE_POOL_SIZE', '0', /whole number from 1 to 500/],
    ['DATABASE_URL', 'mysql://secret-of-the-database', /postgres:\/\//],
    ['DATABASE_URL', 'postgres://secret-of-the-database@db:port/deals', /postgres:\/\//],
    ['PUBLIC_BASE_URL', 'deals.example.org', /http or https/],
    ['PUBLIC_BASE_URL', 'ftp://deals.example.org', /http or https/],
    ['PUBLIC_BASE_URL', 'https://deals.example.org/api', /no path/],
    ['PUBLIC_BASE_URL', 'https://deals.example.org?x=1', /no path/],
    ['PUBLIC_BASE_URL', 'https://me:secret-of-mine@deals.example.org', /no user/],
    ['SERVER_SECRET', 'secret-of', /32 characters/],
    ['SERVER_SECRET', settings.SERVER_SECRET.example, /published example/],
    ['LOG_LEVEL', 'loud', /LOG_LEVEL/],
    ['NETWORK', 'eip155:1', /eip155:8453, eip155:84532/],
    ['NETWORK', 'eip155:31337', /eip155:8453, eip155:84532/],
    ['PAY_TO', '0x3C44', /40 hexadecimal digits/],
    ['PAY_TO', settings.PAY_TO.example, /zero address/],
    ['RPC_URL', 'ws://rpc.example.com/secret-of-the-rpc', /http or https/],
    ['RELAYER_PRIVATE_KEY', `${'5ec2e7'.repeat(10)}5ec2`, /64 hexadecimal digits/],
    ['RELAYER_PRIVATE_KEY', `0x${'0'.repeat(64)}`, /secp256k1/],
    ['RELAYER_PRIVATE_KEY', `0x${'f'.repeat(64)}`, /secp256k1/],
    ['RELAYER_PRIVATE_KEY', settings.RELAYER_PRIVATE_KEY.example, /64 hexadecimal digits/],
  ];
  for (const [name, value, fault] of wrong) {
    it(`refuses ${name}=${value.slice(0, 46)} and says what it must be`, () => {
      const faults = faultsOf({ ...production, [name]: value });
      assert.equal(faults.length, 1, faults.join('\n'));
      assert.match(faults[0] ?? '', fault);
      assert.ok(faults[0]?.startsWith(`${name}: `));
    });
  }

  it('names all faults at once', () => {
    const faults = faultsOf({ ...production, PORT: 'x', LOG_LEVEL: 'loud', PAY_TO: 'x', SERVER_SECRET: '' });
    assert.deepEqual(
      faults.map((fault) => fault.split(':')[0]),
      ['PORT', 'LOG_LEVEL', 'PAY_TO', 'SERVER_SECRET'],
    );
  });

  it('reads no variable that is not documented', () => {
    assert.deepEqual(readConfig({ PATH: '/bin', PAYTO: 'x', DEBUG: '*' }), readConfig({}));
  });
});

describe('.env.example', () => {
  it('is what the table of settings makes of it', () => {
    const path = findProjectFile('.env.example');
    const written = existsSync(path) ? readFileSync(path, 'utf8') : '';
    assert.ok(written === renderEnvExample(), '.env.example is out of date. Run: npm run env:example');
  });

  it('names and describes every setting, and sets none', () => {
    const text = renderEnvExample();
    for (const [name, { description, example }] of Object.entries(settings)) {
      assert.ok(text.includes(`# ${description}\n#${name}=${example}\n`), name);
    }
    for (const line of text.split('\n')) assert.match(line, /^(#.*)?$/);
  });
});
