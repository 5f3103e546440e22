import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import type { Report } from '../../../generated/types.gen.js';
import { renderCompletion } from '../../../src/client/cli/completion.js';
import { isReport, renderReport } from '../../../src/client/cli/render-report.js';
import { helpTopics } from '../../../src/client/cli/verbs.js';
import { operationPaths, type OperationId } from '../../../src/client/wire/operation-paths.js';
import { findRecords } from '../../../src/client/wire/records.js';
import { createStyle, wantsColor } from '../../../src/terminal/style.js';
import { readReplies } from '../../generators/replies.js';
import { free, run } from './run.js';

const replies = readReplies().filter(({ status }) => status === 200);
const screens = replies.filter(({ operationId }) => !['getPage', 'getPaymentResponse'].includes(operationId));
const reports = replies.map(({ body }) => body).filter(isReport);
const withoutLinks = (text: string): string => text.replaceAll(/https?:\S+|\/api\/\S+/g, '');

/** A reply as the command shows it on a terminal. */
async function show(operationId: string, body: unknown, width: number, isColored = false): Promise<string> {
  const path = operationPaths[operationId as OperationId].replaceAll(/\{[^}]*\}/g, 'x');
  return (await run([free(body)], [path], { isThere: true, width, isColored })).out;
}

describe('what the command shows of each recorded reply', () => {
  it('has no line over the width, from 40 to 200, nor escape codes without color', async () => {
    for (const { operationId, body, file } of screens)
      for (const width of [40, 57, 80, 100, 143, 200]) {
        const shown = await show(operationId, body, width);
        if (!shown.startsWith('{'))
          for (const line of shown.split('\n').filter((each) => each.includes(' ')))
            assert.ok([...line].length <= width, `${file} ${width}: ${line}`);
        assert.equal(stripVTControlCharacters(shown), shown, file);
      }
  });

  it('has no code of the contract but in links, commands and the texts of sources', async () => {
    for (const { operationId, body, file } of screens) {
      const shown = withoutLinks(await show(operationId, body, 200));
      if (findRecords(body)?.rows.length === 0 || file.includes('many')) continue;
      assert.doesNotMatch(shown, /\b[a-z]+_[a-z_]+\b/, `${file} ${shown}`);
    }
  });

  it('is a list of at most 25 lines', async () => {
    for (const { operationId, body } of screens.filter(({ operationId: id }) => id.startsWith('list')))
      if (operationId !== 'listSources')
        assert.ok((await show(operationId, body, 100)).trimEnd().split('\n').length <= 25, operationId);
  });

  it('is what came where the server sends another shape', async () => {
    const { code, out } = await run([free({ matches: {} })], ['/api/lookup'], { isThere: true });
    assert.deepEqual([code, JSON.parse(out)], [0, { matches: {} }]);
  });
});

describe('a report on a terminal', () => {
  const [few] = reports;
  assert.ok(few);
  const shown = (report: Report, isFull = false): string => renderReport(report, { width: 100, isFull });

  it('is one screen: place, verdict, prices, claim against HUD, paths, what moves it, evidence', () => {
    for (const report of reports) {
      const lines = shown(report).trimEnd().split('\n');
      assert.ok(lines.length <= 50, String(lines.length));
      for (const begin of ['  Asking', '  Cap rate', '  DSCR', '  Rental ', '  Evidence'])
        assert.ok(
          lines.some((line) => line.startsWith(begin)),
          begin,
        );
      assert.doesNotMatch(lines.join('\n'), /null|undefined|NaN/);
    }
  });

  it('is every section in words with --full, and its statuses colored', () => {
    for (const report of reports) {
      const full = shown(report, true);
      for (const title of ['Cash flow', 'Rental: ', 'Wholesale: ', 'Creative: ', 'Where the figures are from'])
        assert.ok(full.includes(`\n${title}`), title);
      assert.doesNotMatch(full, /undefined|NaN|\[object/);
    }
    const colored = renderReport(few, { width: 100, isFull: true, style: createStyle(true) });
    assert.equal(stripVTControlCharacters(colored), shown(few, true));
    assert.match(colored, /\u001b\[/);
  });

  it('is kept and its page opened with --open, or both are told', async () => {
    const path = `/api/deals/${few.deal.id}/report`;
    const opened = await run([free(few)], [path, '--open'], { isThere: true });
    assert.match(opened.opened.join(), /^http:\/\/127\.0\.0\.1:\d+\/report$/);
    assert.match(opened.error, new RegExp(`The report is in /home/reports/${few.deal.id}\\.json\\. Choose it`));
    const told = await run([free(few)], [path, '--open']);
    assert.match(told.error, /Open it at http:\/\/127\.0\.0\.1:\d+\/report\.\n/);
    assert.deepEqual(JSON.parse(told.out), few);
    const other = await run([free([])], ['/api/deals', '--open'], { isThere: true });
    assert.match(other.error, /Only a report can be opened/);
  });
});

describe('colors', () => {
  it('are for terminals, unless NO_COLOR, FORCE_COLOR or --no-color say otherwise', async () => {
    assert.ok(wantsColor(true, {}) && wantsColor(false, { FORCE_COLOR: '1' }));
    for (const [isTerminal, wishes] of [
      [false, {}],
      [true, { NO_COLOR: '1' }],
      [true, { FORCE_COLOR: '0' }],
      [true, { NO_COLOR: '1', FORCE_COLOR: '1' }],
      [true, { TERM: 'dumb' }],
    ] as const)
      assert.ok(!wantsColor(isTerminal, wishes));
    const deals = [{ deal_score: 1, list_price: '1.00', rental_status: 'Hot', address: '1 A St' }];
    const shown = (words: readonly string[]) =>
      run([free(deals)], ['deals', ...words], { isThere: true, isColored: true });
    assert.match((await shown([])).out, /\u001b\[/);
    assert.doesNotMatch((await shown(['--no-color'])).out, /\u001b/);
    assert.doesNotMatch((await shown(['--json'])).out, /\u001b/);
  });
});

describe('the versions and the completion', () => {
  it('are told without a server', async () => {
    for (const words of [['version'], ['--version']]) {
      const { code, out, paths } = await run([free([])], words, { isThere: true });
      assert.deepEqual([code, out, paths], [0, 'deals-feed 1.0.0, contract 1.0.0\n', []]);
    }
    assert.deepEqual(JSON.parse((await run([free([])], ['version'])).out), { client: '1.0.0', contract: '1.0.0' });
  });

  it('completes verbs, options and few values in bash', () => {
    const complete = (...words: string[]): string[] => {
      const script = `${renderCompletion('bash')}
        COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}
        _deals_feed; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
    };
    assert.deepEqual(complete('deals-feed', ''), [...helpTopics]);
    assert.deepEqual(complete('deals-feed', 'hot'), ['hot-deals']);
    assert.deepEqual(complete('deals-feed', 'deals', '--min-ca'), ['--min-cap', '--min-cap-underwritten']);
    assert.deepEqual(complete('deals-feed', 'deals', '--status', 'H'), ['Hot']);
  });

  it('names every verb for zsh and fish', () => {
    for (const shell of ['zsh', 'fish'] as const)
      for (const verb of helpTopics) assert.ok(renderCompletion(shell).includes(verb), `${shell} ${verb}`);
  });
});
