import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { confirm } from '../../src/terminal/confirm.js';

describe('a question', () => {
  async function answer(text: string): Promise<boolean> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const answered = confirm('Buy it? [y/N] ', input, output);
    input.end(text);
    const isYes = await answered;
    assert.equal(String(output.read()), 'Buy it? [y/N] ');
    return isYes;
  }

  it('is answered by yes alone with yes', async () => {
    for (const text of ['y\n', 'Y\r\n', ' yes \n', 'YES\n']) assert.equal(await answer(text), true, text);
    for (const text of ['\n', 'n\n', 'no\n', 'yesterday\n', '1\n']) assert.equal(await answer(text), false, text);
  });

  it('is answered with no by whoever closes the input', async () => {
    assert.equal(await answer(''), false);
  });
});
