import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSecretFiles } from '../../src/config/secret-files.js';
import { settings } from '../../src/config/settings.js';
import { faultsOf, production, read, warningsOf } from '../support/read-settings.js';

const folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
const path = join(folder, 'secret');
const secret = 'secret-of-a-file-0123456789abcdefghij';
writeFileSync(path, `${secret}\n`);

describe('a secret in a file', () => {
  it('is the value of its setting, without the line break at its end', () => {
    const { values, faults } = readSecretFiles({ SERVER_SECRET_FILE: path, SOURCE_SECRET_MLS_FILE: ` ${path} ` });
    assert.deepEqual([values, faults], [{ SERVER_SECRET: secret, SOURCE_SECRET_MLS: secret }, []]);
    const { serverSecret, sourceSecrets } = read({ SERVER_SECRET_FILE: path, SOURCE_SECRET_MLS_FILE: path, ...values });
    assert.deepEqual([serverSecret, [...sourceSecrets]], [secret, [['SOURCE_SECRET_MLS', secret]]]);
  });

  it('is refused where the setting has a value too', () => {
    const { values, faults } = readSecretFiles({ SERVER_SECRET_FILE: path, SERVER_SECRET: 'x' });
    assert.deepEqual(values, {});
    assert.deepEqual(faults, ['SERVER_SECRET_FILE: SERVER_SECRET is given too. Give one of the two.']);
  });

  it('is refused where its file is missing, is a folder or is empty, and nothing of it is shown', () => {
    const [empty, inner] = [join(folder, 'empty'), join(folder, 'inner')];
    writeFileSync(empty, ' \n');
    mkdirSync(inner);
    for (const wrong of [join(folder, 'absent'), inner, empty])
      assert.deepEqual(readSecretFiles({ DATABASE_URL_FILE: wrong }).faults, [
        'DATABASE_URL_FILE: the file cannot be read, or is empty. Let the user of this process read it.',
      ]);
  });

  it('can be every secret setting, and no other', () => {
    for (const [name, { secret: isSecret }] of Object.entries(settings))
      assert.equal(name in readSecretFiles({ [`${name}_FILE`]: path }).values, isSecret === true, name);
    assert.deepEqual(faultsOf({ ...production, PORT_FILE: path }), []);
  });

  it('ends the start together with everything else that is wrong', () => {
    const launch = { onTerminal: true, secretFileFaults: ['X_FILE: wrong'] };
    assert.deepEqual(
      faultsOf({ ...production, PORT: 'x' }, launch).map((fault) => fault.split(':')[0]),
      ['PORT', 'X_FILE'],
    );
  });

  it('is no unknown setting', () => {
    const names = ['SERVER_SECRET_FILE', 'SOURCE_SECRET_MLS_FILE'];
    const launch = { onTerminal: true, envFile: { path: '/srv/.env', names } };
    assert.deepEqual(warningsOf({ ...production, SERVER_SECRET_FILE: 'x', SOURCE_SECRET_MLS_FILE: 'x' }, launch), []);
  });
});
