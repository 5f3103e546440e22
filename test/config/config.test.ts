import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { leaseMs } from '../../src/payments/ledger/ledger.js';
import { maxSettleSeconds, proofMs } from '../../src/payments/settlement/facilitator/facilitator-client.js';
import { findProjectFile } from '../../src/project-file.js';
import { settingSchema } from '../../src/config/setting-schema.js';
import { renderEnvExample, settings } from '../../src/config/settings.js';
import { faultsOf, production, read } from '../support/read-settings.js';

describe('the configuration', () => {
  it('reads the keys of sources by the names that an operator gave them, and nothing else of the environment', () => {
    const config = read({
      SOURCE_SECRET_MLS_1: ' the-key ',
      SOURCE_SECRET_EMPTY: ' ',
      source_secret_x: 'no',
      HOME: '/',
    });
    assert.deepEqual([...config.sourceSecrets], [['SOURCE_SECRET_MLS_1', 'the-key']]);
  });

  it('wants to know who asks before it reads sources over HTTP', () => {
    assert.match(faultsOf({ SOURCES_FILE: 'sources.json' }).join(), /^CONTACT_URL: needed with SOURCES_FILE/);
    assert.match(faultsOf({ SOURCES_FILE: 'sources.json', CONTACT_URL: 'me' }).join(), /^CONTACT_URL: must be/);
    const config = read({ SOURCES_FILE: 'sources.json', CONTACT_URL: 'https://example.org/about' });
    assert.equal(config.sourcesFile, resolve('sources.json'));
    assert.equal(read({ ...production, SOURCES_FILE: 'sources.json' }).contactUrl, 'https://deals.example.org');
  });

  it('needs nothing at all on a terminal: then the server demonstrates itself on this machine', () => {
    const config = read({});
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.port, 4021);
    assert.equal(config.payment, undefined);
    assert.equal(config.databaseUrl, undefined);
  });

  it('takes an empty value for none, and trims what is given', () => {
    const config = read({ PORT: '', DATABASE_URL: '   ', LOG_LEVEL: ' warn ' });
    assert.deepEqual([config.port, config.databaseUrl, config.logLevel], [4021, undefined, 'warn']);
  });

  it('sells on Base when nothing else is said', () => {
    const config = read(production);
    assert.equal(config.payment?.network.id, 'eip155:8453');
    assert.equal(config.payment.payTo, production.PAY_TO);
    assert.equal(config.publicBaseUrl, 'https://deals.example.org');
    assert.equal(read({ ...production, NETWORK: 'eip155:84532' }).payment?.network.label, 'Base Sepolia');
  });

  it('settles in windows of 200 ms, twenty payments together, one block deep, unless told otherwise', () => {
    const { settlement } = read(production);
    assert.deepEqual(settlement, {
      windowMs: 200,
      maxItems: 20,
      confirmations: 1,
      bumpAfterMs: 10_000,
      maxFeeWei: 10_000_000_000n,
      lowSettlements: 200,
      failedGasPerHour: 1_000_000n,
    });
    const told = read({
      ...production,
      SETTLE_BATCH_WINDOW_MS: '0',
      CONFIRMATIONS: '3',
      RELAYER_MAX_FEE_GWEI: '0.02',
    }).settlement;
    assert.deepEqual([told.windowMs, told.confirmations, told.maxFeeWei], [0, 3, 20_000_000n]);
    assert.deepEqual(faultsOf({ ...production, SETTLE_BATCH_SIZE: '101' }), [
      'SETTLE_BATCH_SIZE: must be a whole number from 1 to 100',
    ]);
  });

  for (const name of Object.keys(production) as (keyof typeof production)[]) {
    it(`does not sell without ${name}, and says what it is`, () => {
      const { [name]: _, ...others } = production;
      const faults = faultsOf(others);
      assert.deepEqual(faults, [`${name}: needed to sell. ${settings[name].description}`]);
    });
  }

  it('never falls back to a demonstration when one word of selling was said', () => {
    for (const name of [
      'NETWORK',
      'PAY_TO',
      'RPC_URL',
      'RELAYER_PRIVATE_KEYS',
      'FACILITATOR_URL',
      'CONFIRMATIONS',
    ] as const) {
      const others = { NETWORK: 'eip155:8453', FACILITATOR_URL: 'https://facilitator.example.com', CONFIRMATIONS: '2' };
      const value = { ...production, ...others }[name];
      const faults = faultsOf({ [name]: value });
      assert.ok(faults.length >= 5, name);
      assert.ok(
        faults.every((fault) => fault.includes('needed to sell')),
        name,
      );
    }
  });

  describe('with a facilitator', () => {
    const { RELAYER_PRIVATE_KEYS: _, ...rest } = production;
    const remote = { ...rest, FACILITATOR_URL: 'https://facilitator.example.com/x402/' };
    const secret = Buffer.alloc(64, 7).toString('base64');

    it('needs no relayer key, and takes none beside it', () => {
      const { payment } = read(remote);
      assert.deepEqual(payment?.relayerKeys, []);
      assert.deepEqual(payment?.facilitators, [{ url: 'https://facilitator.example.com/x402', headers: {} }]);
      assert.deepEqual(faultsOf({ ...production, FACILITATOR_URL: remote.FACILITATOR_URL }), [
        'RELAYER_PRIVATE_KEYS: not used with FACILITATOR_URL. Give one of the two.',
      ]);
    });

    it('knows how each one wants to be asked', () => {
      const { payment } = read({
        ...remote,
        FACILITATOR_KEY_ID: 'key-1',
        FACILITATOR_KEY_SECRET: secret,
        FACILITATOR_FALLBACK_URL: 'http://127.0.0.1:4022',
        FACILITATOR_FALLBACK_HEADERS: '{"X-Api-Key":"secret-of-the-other"}',
      });
      assert.deepEqual(payment?.facilitators, [
        { url: 'https://facilitator.example.com/x402', headers: {}, signingKey: { id: 'key-1', secret } },
        { url: 'http://127.0.0.1:4022', headers: { 'x-api-key': 'secret-of-the-other' } },
      ]);
    });

    it('takes the time that facilitators are given, and leaves enough of the lease for the proof', () => {
      assert.deepEqual(read(remote).payment?.facilitatorTimeouts, { verifyMs: 5_000, settleMs: 20_000 });
      const slow = { FACILITATOR_VERIFY_SECONDS: '15', FACILITATOR_SETTLE_SECONDS: `${maxSettleSeconds}` };
      const timeouts = read({ ...remote, ...slow }).payment?.facilitatorTimeouts;
      assert.deepEqual(timeouts, { verifyMs: 15_000, settleMs: maxSettleSeconds * 1_000 });
      assert.ok(timeouts.settleMs + proofMs < leaseMs);
    });

    it('is what the settings of a facilitator need', () => {
      assert.deepEqual(faultsOf({ ...production, FACILITATOR_VERIFY_SECONDS: '5', FACILITATOR_SETTLE_SECONDS: '20' }), [
        'FACILITATOR_VERIFY_SECONDS: has no effect without FACILITATOR_URL.',
        'FACILITATOR_SETTLE_SECONDS: has no effect without FACILITATOR_URL.',
      ]);
    });

    const useless: readonly [Record<string, string>, RegExp][] = [
      [{ FACILITATOR_URL: 'http://facilitator.example.com' }, /https address/],
      [{ FACILITATOR_URL: 'https://me:secret-of-mine@facilitator.example.com' }, /no user/],
      [{ FACILITATOR_URL: 'https://facilitator.example.com?key=secret-of-mine' }, /no query/],
      [{ FACILITATOR_HEADERS: 'X-Api-Key: secret-of-mine' }, /JSON object/],
      [{ FACILITATOR_HEADERS: '{"X Api Key":"secret-of-mine"}' }, /JSON object/],
      [{ FACILITATOR_KEY_ID: 'key-1' }, /FACILITATOR_KEY_SECRET: needed with FACILITATOR_KEY_ID/],
      [{ FACILITATOR_KEY_SECRET: secret }, /FACILITATOR_KEY_ID: needed with FACILITATOR_KEY_SECRET/],
      [{ FACILITATOR_KEY_ID: 'key-1', FACILITATOR_KEY_SECRET: 'secret-of-mine' }, /Ed25519/],
      [{ FACILITATOR_VERIFY_SECONDS: '0' }, /from 1 to 20/],
      [{ FACILITATOR_SETTLE_SECONDS: `${maxSettleSeconds + 1}` }, /from 5 to 40/],
      [{ FACILITATOR_FALLBACK_HEADERS: '{}' }, /has no effect without FACILITATOR_FALLBACK_URL/],
    ];
    for (const [settings, fault] of useless) {
      it(`refuses ${JSON.stringify(settings).slice(0, 60)}`, () => {
        const faults = faultsOf({ ...remote, ...settings });
        assert.equal(faults.length, 1, faults.join('\n'));
        assert.match(faults[0] ?? '', fault);
      });
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
    ['SERVER_SECRET_PREVIOUS', settings.SERVER_SECRET_PREVIOUS.example, /published example/],
    ['LOG_LEVEL', 'loud', /LOG_LEVEL/],
    ['NETWORK', 'eip155:1', /eip155:8453, eip155:84532/],
    ['NETWORK', 'eip155:31337', /eip155:8453, eip155:84532/],
    ['PAY_TO', '0x3C44', /40 hexadecimal digits/],
    ['PAY_TO', settings.PAY_TO.example, /zero address/],
    ['RPC_URL', 'ws://rpc.example.com/secret-of-the-rpc', /http or https/],
    ['RELAYER_PRIVATE_KEYS', `${'5ec2e7'.repeat(10)}5ec2`, /64 hexadecimal digits/],
    ['RELAYER_PRIVATE_KEYS', `0x${'0'.repeat(64)}`, /secp256k1/],
    ['RELAYER_PRIVATE_KEYS', `0x${'1f'.repeat(32)}, 0x${'1F'.repeat(32)}`, /a key twice/],
    ['RELAYER_PRIVATE_KEYS', `0x${'1f'.repeat(32)},`, /with commas between them/],
    ['RELAYER_PRIVATE_KEYS', `0x${'f'.repeat(64)}`, /secp256k1/],
    ['RELAYER_PRIVATE_KEYS', settings.RELAYER_PRIVATE_KEYS.example, /64 hexadecimal digits/],
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
    assert.deepEqual(read({ PATH: '/bin', PAYTO: 'x', DEBUG: '*' }), read({}));
  });

  it('takes proxies by address, range and name, and refuses what would let every caller write its own address', () => {
    const { trustedProxies } = read({ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,2001:db8::1' });
    assert.deepEqual(trustedProxies, ['loopback', '10.0.0.0/8', '2001:db8::1']);
    assert.deepEqual(read({}).trustedProxies, []);
    for (const wrong of ['all', '0.0.0.0/0', '10.0.0.0/33', '10.0.0.1,,', '10.0.0.0/8/8', 'proxy.example.com'])
      assert.match(faultsOf({ TRUSTED_PROXIES: wrong })[0] ?? '', /^TRUSTED_PROXIES: must be addresses and ranges/);
  });
});

describe('.env.example', () => {
  it('is what the table of settings makes of it', () => {
    const path = findProjectFile('.env.example');
    const written = existsSync(path) ? readFileSync(path, 'utf8') : '';
    assert.ok(written === renderEnvExample(), '.env.example is out of date. Run: npm run env:example');
  });

  it('names and describes every setting, and sets none', () => {
    assert.deepEqual(Object.keys(settings).sort(), Object.keys(settingSchema.shape).sort());
    const text = renderEnvExample();
    for (const [name, { description, example, secret }] of Object.entries(settings)) {
      const file = secret ? ` Or ${name}_FILE: the path of a file with it.` : '';
      assert.ok(text.includes(`# ${description}${file}\n#${name}=${example}\n`), name);
    }
    for (const line of text.split('\n')) assert.match(line, /^(#.*)?$/);
  });
});
