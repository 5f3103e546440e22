import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileStorage } from '../../src/client/file-storage.js';
import type { PaymentStorage } from '../../src/client/payments/payment-storage.js';
import { findProjectFile } from '../../src/project-file.js';

/** A change like those of the journal: applying it twice equals applying it once. */
const add = (name: string) => (text: string | undefined) => [...new Set([...(text?.split(' ') ?? []), name])].join(' ');

async function countKept(directory: string): Promise<number | undefined> {
  return (await read(createFileStorage(directory)))?.split(' ').length;
}

async function read(storage: PaymentStorage): Promise<string | undefined> {
  let seen: string | undefined;
  await storage.update((text) => (seen = text) ?? '');
  return seen;
}

describe('a storage of payments in files', () => {
  let directory: string;
  beforeEach(() => void (directory = join(mkdtempSync(join(tmpdir(), 'payments-')), 'kept')));
  afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

  it('keeps the text, readable only by the user, in one file', async () => {
    await createFileStorage(directory).update((text) => `${text} then one`);
    await createFileStorage(directory).update((text) => `${text}, two`);
    assert.equal(await read(createFileStorage(directory)), 'undefined then one, two');
    const files = readdirSync(directory);
    assert.deepEqual(files, ['payments.2.json']);
    assert.deepEqual(
      [statSync(directory).mode & 0o777, statSync(join(directory, files[0] ?? '')).mode & 0o777],
      [0o700, 0o600],
    );
  });

  it('writes nothing when nothing changes, or when the change throws', async () => {
    const storage = createFileStorage(directory);
    await storage.update(() => 'kept');
    await storage.update((text) => text ?? '');
    await assert.rejects(
      storage.update(() => assert.fail('over budget')),
      /over budget/,
    );
    assert.deepEqual(readdirSync(directory), ['payments.1.json']);
    assert.equal(await read(storage), 'kept');
  });

  it('loses no change of several concurrent ones, over several storages of the same directory', async () => {
    const changes = [1, 2, 3, 4].flatMap((writer) => {
      const storage = createFileStorage(directory);
      return Array.from({ length: 10 }, (_, index) => storage.update(add(`${writer}:${index}`)));
    });
    await Promise.all(changes);
    assert.equal(await countKept(directory), 40);
  });

  it('loses no change of several processes', async () => {
    const program =
      `import { createFileStorage } from ${JSON.stringify(findProjectFile('dist/src/client/file-storage.js'))};` +
      `const storage = createFileStorage(${JSON.stringify(directory)});` +
      `const add = ${add.toString()};` +
      `for (let n = 0; n < 15; n++) await storage.update(add(process.pid + ':' + n));`;
    const run = () => {
      const args = ['--input-type=module', '--eval', program];
      const child = spawn(process.execPath, args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        cwd: findProjectFile('.'),
      });
      return new Promise<number | null>((resolve) => child.on('close', resolve));
    };
    assert.deepEqual(await Promise.all([run(), run(), run()]), [0, 0, 0]);
    assert.equal(await countKept(directory), 45);
  });

  it('reads the last complete version after a process died at any moment', async () => {
    await createFileStorage(directory).update(() => 'first');
    writeFileSync(join(directory, 'payments.2.json'), 'second'); // linked, but the earlier version is not yet removed
    writeFileSync(join(directory, 'draft.4711'), 'half a th');
    assert.equal(await read(createFileStorage(directory)), 'second');
    await createFileStorage(directory).update((text) => `${text}, third`);
    assert.equal(await read(createFileStorage(directory)), 'second, third');
  });

  it('does not reuse a number that was used and removed', async () => {
    const storage = createFileStorage(directory);
    await storage.update(() => '1');
    let isLate = true;
    await storage.update((text) => {
      if (!isLate) return `${text} 4`;
      isLate = false;
      // Meanwhile others have made versions 2 and 3, and removed 2.
      writeFileSync(join(directory, 'payments.3.json'), '3');
      rmSync(join(directory, 'payments.1.json'));
      return 'lost';
    });
    assert.equal(await read(storage), '3 4');
  });

  describe('and of replies beside them', () => {
    let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
    const open = () => {
      const { replies } = createFileStorage(directory, () => new Date(nowMs));
      assert.ok(replies);
      return replies;
    };
    const filesOf = () => readdirSync(join(directory, 'replies')).map((name) => join(directory, 'replies', name));

    it('keeps each by its key, readable only by the user', async () => {
      assert.equal(await open().find('a'), undefined);
      await open().keep('a', 'first');
      await open().keep('b', 'other');
      await open().keep('a', 'second');
      assert.deepEqual([await open().find('a'), await open().find('b')], ['second', 'other']);
      assert.equal(filesOf().length, 2);
      for (const file of filesOf()) assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.equal(statSync(join(directory, 'replies')).mode & 0o777, 0o700);
    });

    it('keeps them for 30 days, and removes them with the next reply', async () => {
      await open().keep('old', 'x');
      nowMs += 30 * 86_400_000 - 1;
      assert.equal(await open().find('old'), 'x');
      nowMs += 1;
      assert.equal(await open().find('old'), undefined);
      await open().keep('new', 'y');
      assert.equal(filesOf().length, 1);
    });

    it('keeps 20 MB at most, the newest', async () => {
      for (const key of ['a', 'b', 'c']) {
        nowMs += 1_000;
        await open().keep(key, key.repeat(8_000_000));
      }
      assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(async (key) => (await open().find(key))?.length)), [
        undefined,
        8_000_000,
        8_000_000,
      ]);
    });
  });

  it('fails when it cannot write', async function () {
    if (process.getuid?.() === 0) this.skip(); // root may write everywhere
    await createFileStorage(directory).update(() => 'kept');
    chmodSync(directory, 0o500);
    await assert.rejects(
      createFileStorage(directory).update(() => 'more'),
      { code: 'EACCES' },
    );
    chmodSync(directory, 0o700);
  });
});
