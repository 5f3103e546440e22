import assert from 'node:assert/strict';
import type { Launch } from '../../src/config/environment.js';
import { settings } from '../../src/config/settings.js';
import { faultsOf, production, warningsOf } from '../support/read-settings.js';

describe('the settings as a whole', () => {
  describe('where nothing to sell is configured', () => {
    const envFile = { path: '/srv/deals/.env', names: undefined };
    const alone: Launch = { onTerminal: false, envFile };
    const npm = { npm_package_name: 'multifamily-deals-feed-server', npm_lifecycle_event: 'start' };
    const refusal = [
      'DEMONSTRATION: not requested, and nothing to sell is configured: /srv/deals/.env does not exist. ' +
        'To sell, start in the directory of your .env, or give its settings as environment variables. ' +
        'To demonstrate, set DEMONSTRATION=true.',
    ];

    it('demonstrates only on a terminal, by npm of this package, or with DEMONSTRATION=true', () => {
      assert.deepEqual(faultsOf({}, alone), refusal);
      assert.deepEqual(faultsOf({}, { ...alone, onTerminal: true }), []);
      for (const script of ['start', 'cli'])
        assert.deepEqual(faultsOf({ ...npm, npm_lifecycle_event: script }, alone), []);
      assert.deepEqual(faultsOf({ DEMONSTRATION: 'true' }, alone), []);
      assert.deepEqual(faultsOf({ ...npm, npm_package_name: 'somebody-elses' }, alone), refusal);
      assert.deepEqual(faultsOf({ ...npm, npm_lifecycle_event: 'test' }, alone), refusal);
      assert.deepEqual(faultsOf({ DATABASE_URL: production.DATABASE_URL, SERVER_SECRET: '' }, alone), refusal);
    });

    it('demonstrates in production with DEMONSTRATION=true alone', () => {
      for (const onTerminal of [true, false])
        for (const by of [{}, npm]) {
          const place = { ...alone, onTerminal };
          assert.deepEqual(faultsOf({ NODE_ENV: 'production', ...by }, place), refusal);
          assert.deepEqual(faultsOf({ DEMONSTRATION: 'false', ...by }, place), refusal);
          assert.deepEqual(faultsOf({ NODE_ENV: 'production', DEMONSTRATION: 'true', ...by }, place), []);
        }
    });

    it('says that the .env that was found has no payment settings', () => {
      const found = { onTerminal: false, envFile: { ...envFile, names: ['PORT'] } };
      assert.match(
        faultsOf({ PORT: '80' }, found).join(),
        /configured: \/srv\/deals\/\.env has no payment settings\. /,
      );
    });

    it('takes true and false for DEMONSTRATION and nothing else', () => {
      const faults = faultsOf({ DEMONSTRATION: 'yes' }, alone);
      assert.deepEqual(faults, ['DEMONSTRATION: must be true or false', ...refusal]);
    });

    it('never demonstrates with a payment setting, and names each one', () => {
      const payments = Object.entries(settings).filter(([, { group }]) =>
        ['sell', 'facilitate', 'settle'].includes(group),
      );
      assert.ok(payments.length > 15);
      for (const [name] of payments) {
        const faults = faultsOf({
          DEMONSTRATION: 'true',
          [name]: { ...production, NETWORK: 'eip155:8453' }[name] ?? '24',
        });
        const [fault = ''] = faults.filter((each) => each.startsWith('DEMONSTRATION: '));
        assert.ok(fault.includes(`cannot be combined with payment settings: ${name}. `), name);
      }
    });
  });

  it('refuses rates of a day that is yet to come, and none for their age', () => {
    const rates = (asOf: string) =>
      `{"as_of":"${asOf}","source":"a bank","one_to_four_units_pct":"7","five_plus_units_pct":"7"}`;
    const launch = { onTerminal: false, now: new Date('2026-11-28T23:59:59.000Z') };
    const faults = (asOf: string) => faultsOf({ ...production, MORTGAGE_RATES: rates(asOf) }, launch);
    assert.deepEqual(faults('2026-11-29'), ['MORTGAGE_RATES: as_of is in the future: 2026-11-29.']);
    assert.deepEqual([faults('2026-11-28'), faults('2019-01-01')], [[], []]);
    assert.equal(faultsOf({ ...production, MORTGAGE_RATES: '6.75' }, launch).length, 1);
  });

  it('warns of a .env that everybody can read', () => {
    const envFile = { path: '/srv/.env', names: [], isPublic: true };
    assert.deepEqual(warningsOf(production, { onTerminal: true, envFile }), [
      '/srv/.env can be read by others. Run: chmod 600 /srv/.env',
    ]);
  });

  it("shows the operator's page beyond this machine only to whoever has its token, which is no published one", () => {
    const [fault = ''] = faultsOf({ OPERATOR_HOST: '0.0.0.0' });
    assert.match(fault, /^OPERATOR_HOST: beyond this machine only with OPERATOR_TOKEN\./);
    for (const host of ['127.0.0.1', '::1', 'localhost']) assert.deepEqual(faultsOf({ OPERATOR_HOST: host }), []);
    assert.deepEqual(faultsOf({ OPERATOR_HOST: '0.0.0.0', OPERATOR_TOKEN: 'secret-of-the-operator-0123456789' }), []);
    assert.match(faultsOf({ OPERATOR_TOKEN: 'short' }).join(), /OPERATOR_TOKEN: must have 32 characters or more/);
    assert.match(
      faultsOf({ OPERATOR_TOKEN: settings.OPERATOR_TOKEN.example }).join(),
      /must not be the published example/,
    );
  });

  it('refuses to sell for real money over plain http', () => {
    const open = { ...production, PUBLIC_BASE_URL: 'http://deals.example.org' };
    assert.deepEqual(faultsOf(open), [
      'PUBLIC_BASE_URL: must be an https address where real money is paid. Put a proxy with TLS in front.',
    ]);
    assert.deepEqual(faultsOf({ ...open, NETWORK: 'eip155:84532' }), []);
  });

  describe('with a name that is no setting', () => {
    const slip = 'CONFIRMATONS is not a setting: did you mean CONFIRMATIONS?';

    it('is refused where the name is near to one, with the nearest', () => {
      assert.deepEqual(faultsOf({ ...production, CONFIRMATONS: '3' }), [slip]);
      for (const [name, meant] of [
        ['DATABASE_URI', 'DATABASE_URL'],
        ['SOURCE_FILE', 'SOURCES_FILE'],
        ['database_url', 'DATABASE_URL'],
        ['FACILITATOR_KEYID', 'FACILITATOR_KEY_ID'],
        ['DEMONSTRATON', 'DEMONSTRATION'],
      ] as const)
        assert.deepEqual(faultsOf({ ...production, [name]: 'x' }), [
          `${name} is not a setting: did you mean ${meant}?`,
        ]);
    });

    it('is refused with everything else that is wrong, at once', () => {
      const faults = faultsOf({ PORT: 'x', CONFIRMATONS: '3' }, { onTerminal: false });
      assert.deepEqual(
        faults.map((fault) => fault.split(/[: ]/)[0]),
        ['PORT', 'DEMONSTRATION', 'CONFIRMATONS'],
      );
    });

    it('says so and demonstrates, where that was asked for', () => {
      assert.deepEqual(warningsOf({ DEMONSTRATION: 'true', CONFIRMATONS: '3' }), [slip]);
    });

    it('says so of every other name in .env, and of none in the environment', () => {
      const names = ['PAYTO', 'FOO', 'SOURCE_SECRET_MLS', 'EMPTY', 'PORT'];
      const launch = { onTerminal: true, envFile: { path: '/srv/.env', names } };
      const values = { ...production, PAYTO: 'x', FOO: 'x', SOURCE_SECRET_MLS: 'x', EMPTY: '', PORT: '80', BAR: 'x' };
      assert.deepEqual(warningsOf(values, launch), [
        'PAYTO is not a setting: did you mean PAY_TO?',
        'FOO is not a setting.',
      ]);
    });

    it('is no fault where it is short, or far from every setting', () => {
      for (const name of ['PAYTO', 'POST', 'HOSTNAME', 'TEST_DATABASE_URL', 'NODE_OPTIONS', 'npm_config_loglevel'])
        assert.deepEqual(faultsOf({ ...production, [name]: 'x' }), [], name);
    });
  });
});
