import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { runVerb } from '../../../src/operator/cli/run-verb.js';
import { OperatorError } from '../../../src/errors.js';
import { timetable } from '../../../jobs/timetable.js';
import { createScriptedCommands } from '../socket/scripted-commands.js';

describe('runVerb', () => {
  let opened: number;
  let closed: number;
  let nowMs: number;
  beforeEach(() => {
    opened = 0;
    closed = 0;
    nowMs = Date.parse('2026-03-08T12:00:00.000Z');
  });

  /** Where nothing listens, unless a test says where. */
  let listening = { host: '127.0.0.1', port: 9 };

  async function run(words: readonly string[], { isTty = false, finish = async () => {} } = {}) {
    const out = new PassThrough({ encoding: 'utf8' });
    const notes = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: isTty });
    const openOperatorCommands = async () => {
      opened += 1;
      return { commands: createScriptedCommands(finish), close: async () => void (closed += 1) };
    };
    const read = (stream: PassThrough): string => String(stream.read() ?? '');
    try {
      const exitCode = await runVerb(words, {
        openOperatorCommands,
        move: async (to) => ({ tables: 2, rows: to.length }),
        ...{ diagnose: () => assert.fail(), migrate: () => assert.fail() },
        readListeningPlace: () => listening,
        out,
        notes,
        now: () => new Date(nowMs),
        confirm: undefined,
      });
      return { exitCode, out: read(out), notes: read(notes) };
    } catch (error) {
      return { error, out: read(out), notes: read(notes) };
    }
  }

  it('tells by its exit code whether the server of this machine answers', async () => {
    let status = 200;
    const server = createServer((_request, response) => response.writeHead(status).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    listening = { host: '0.0.0.0', port: (server.address() as AddressInfo).port };
    assert.deepEqual(await run(['health']), { exitCode: 0, out: '', notes: '' });
    status = 503;
    const answered = `http://127.0.0.1:${listening.port}/healthz answers 503.\n`;
    assert.deepEqual(await run(['health']), { exitCode: 1, out: '', notes: answered });
    server.close();
    await once(server, 'close');
    const silence = `Nothing answers at http://127.0.0.1:${listening.port}/healthz.\n`;
    assert.deepEqual(await run(['health']), { exitCode: 1, out: '', notes: silence });
    assert.equal(opened, 0);
  });

  it('lists the jobs as a table, with what went wrong below it', async () => {
    const { exitCode, out } = await run(['jobs']);
    assert.equal(exitCode, 0);
    assert.deepEqual(out.split('\n'), [
      'JOB          LAST SLOT (UTC)   STATE      NEXT (UTC)',
      'listings     2026-03-08 05:00  succeeded  2026-03-09 05:00',
      'publish      2026-03-08 00:00  failed     2026-03-09 00:00',
      'maintenance  -                 never run  2026-03-09 04:00',
      '',
      'publish: The disk is full.',
      '',
    ]);
    assert.deepEqual([opened, closed], [1, 1]);
  });

  it('runs a job and sums it up in one line, without what is empty', async () => {
    const { exitCode, out, notes } = await run(['run', 'listings'], { finish: async () => void (nowMs += 2_340) });
    assert.equal(exitCode, 0);
    assert.equal(out, 'listings done in 2.3 s: rows 250\n');
    assert.equal(notes, '');
    assert.deepEqual([opened, closed], [1, 1]);
  });

  it('lists what a reading refused, as a table or as lines of JSON', async () => {
    const { out } = await run(['rejects', 'county']);
    assert.deepEqual(
      out.split('\n').map((line) => line.split(/ {2,}/)),
      [
        ['PLACE', 'COLUMN', 'CODE', 'EXPECTED', 'TEXT'],
        ['taxes.csv:3', 'row_unreadable', 'The row is not CSV.'],
        ['taxes.csv:4', 'zip', 'not_a_zip', 'five digits, or nine', 'ABC'],
        [''],
      ],
    );
    const json = await run(['rejects', 'county', '--column', 'zip', '--limit', '5', '--json']);
    assert.deepEqual(JSON.parse(json.out), {
      place: 'taxes.csv:4',
      column: 'zip',
      code: 'not_a_zip',
      expected: 'five digits, or nine',
      text: 'ABC',
    });
    assert.equal((await run(['rejects', 'county', '--column', 'city'])).out, 'Its last reading refused nothing.\n');
    for (const words of [['rejects'], ['rejects', 'county', '--limit', '0'], ['rejects', 'nowhere']])
      assert.ok((await run(words)).error instanceof OperatorError);
  });

  it('reads one source, from where it is told and without writing when it is told so', async () => {
    const { out } = await run(['ingest', 'county']);
    assert.equal(out, 'ingest county done in 0.0 s: status completed, rows 20\n');
    const tried = await run(['ingest', 'county', '--dry-run', '--since', 'w7']);
    assert.equal(tried.out, 'ingest county done in 0.0 s: status tried, rows 20, since w7\n');
    const described = await run(['ingest', 'county', '--dry-run']);
    assert.equal(
      described.out,
      'ingest county done in 0.0 s: status tried, rows 20\nzip: read 19, not stated 0, not understood 1\n',
    );
    const { error } = await run(['ingest', 'nowhere']);
    assert.ok(error instanceof OperatorError && error.message === 'There is no source nowhere.');
  });

  it('suppresses an address or a parcel, for a reason, and repeats no more than was typed', async () => {
    const { out } = await run(['suppress', '100 Example Ave, Cleveland OH', '--reason', 'asked by its owner']);
    assert.equal(out, 'suppress 100 Example Ave, Cleveland OH done in 0.0 s: deals 1, signals 0, auctions 0\n');
    const parcel = await run(['suppress', '131-01-001', '--county', '39035', '--reason', 'court order']);
    assert.match(parcel.out, /deals 1/);
  });

  it('lists the sources as a table', async () => {
    const { out } = await run(['sources']);
    assert.equal(out, 'SOURCE  STATUS  RECORDS\ncounty  fresh        20\n');
  });

  it('moves the database to the address that it is given', async () => {
    const { out } = await run(['move', '--to', 'postgres://elsewhere/deals']);
    assert.match(out, /^move done in .* s: tables 2, rows 26\n$/);
  });

  it('has short verbs for jobs', async () => {
    for (const [verb, job] of [
      ['underwrite', 'underwriting'],
      ['publish', 'publish'],
    ] as const) {
      const { error } = await run([verb]);
      assert.ok(error instanceof OperatorError && error.message === `There is no job ${job}.`);
    }
  });

  it('writes the progress over on a terminal, and clears it', async () => {
    const { notes } = await run(['run', 'listings'], { isTty: true });
    const clear = '\r\u001b[K';
    assert.equal(notes, `${clear}listings ...${clear}listings ... rows 100${clear}listings ... rows 200${clear}`);
  });

  it('closes the connection when the job cannot be run, and says why', async () => {
    const { error, out } = await run(['run', 'nothing']);
    assert.deepEqual(error, new OperatorError('There is no job nothing.'));
    assert.equal(out, '');
    assert.deepEqual([opened, closed], [1, 1]);
  });

  it('shows a report as a table with its numbers at the right, and what is said below it', async () => {
    const { out } = await run(['ledger', 'report', '--by', 'day', '--from', '2026-03-07']);
    assert.deepEqual(out.split('\n'), [
      'DAY           USD',
      '2026-03-07   0.05',
      '2026-03-08  12.00',
      '',
      'The ledger equals the chain.',
      '',
    ]);
  });

  it('shows what was asked for in a period, and not found', async () => {
    const { out } = await run(['report', 'demand', '--from', '2026-03-07']);
    assert.match(out, /^OPERATION +NOT FOUND\nlistDeals +3\n/);
    for (const words of [['report'], ['report', 'refunds'], ['ledger', 'demand']])
      assert.ok((await run(words)).error instanceof OperatorError, words.join(' '));
  });

  it('exports CSV and nothing else', async () => {
    const { out } = await run(['ledger', 'export', '--to', '2026-03-31']);
    assert.equal(out, 'day,usd\r\n2026-03-07,0.05\r\n2026-03-08,12.00\r\n');
  });

  it('writes a line for each receipt and nothing else', async () => {
    const { out } = await run(['ledger', 'receipts', `0x${'Ab'.repeat(20)}`, '--from', '2026-03-01']);
    assert.equal(out, '{"transaction":"0x01"}\n{"transaction":"0x02"}\n');
  });

  it('shows each payment as a block of lines', async () => {
    const { out } = await run(['ledger', 'show', `0x${'Ab'.repeat(32)}`]);
    assert.match(out, /^day {2}2026-03-07\nusd {2}0\.05\n\nday {2}2026-03-08\n/);
  });

  it('records a refund through the server, and says why it cannot', async () => {
    const { error } = await run(['ledger', 'refund', `0x${'ab'.repeat(32)}`, '--transaction', `0x${'cd'.repeat(32)}`]);
    assert.deepEqual(error, new OperatorError('Nothing is due.'));
  });

  it('says what refunds are due', async () => {
    assert.match((await run(['ledger', 'refunds'])).out, /The ledger equals the chain\.\n$/);
  });

  it('runs the reconciliation as a job', async () => {
    assert.deepEqual((await run(['ledger', 'reconcile'])).error, new OperatorError('There is no job reconcile.'));
  });

  it('says how the ledger stands after an audit or a rebuild, and ends with 1 where it differs from the chain', async () => {
    assert.deepEqual(await run(['ledger', 'audit']), {
      exitCode: 1,
      out: 'audit done in 0.0 s: chain usd 0.24, lost sales 3, difference usd 0.06\n  sales: 9\n',
      notes: '',
    });
    assert.deepEqual(await run(['ledger', 'rebuild', '--since', '2026-03-01']), {
      exitCode: 0,
      out: 'rebuild done in 0.0 s: written 3, since 2026-03-01, chain usd 0.24, lost sales 0, difference usd 0.00\n  sales: 9\n',
      notes: '',
    });
  });

  it('writes the figures of an audit or a rebuild as one line of JSON and nothing else', async () => {
    const audited = await run(['ledger', 'audit', '--json']);
    assert.deepEqual(
      [audited.exitCode, audited.out],
      [1, '{"chainUsd":"0.24","lostSales":3,"differenceUsd":"0.06"}\n'],
    );
    const { exitCode, out } = await run(['ledger', 'rebuild', '--json']);
    assert.deepEqual(
      [exitCode, out],
      [0, '{"written":3,"since":"","chainUsd":"0.24","lostSales":0,"differenceUsd":"0.00"}\n'],
    );
  });

  for (const [words, message] of [
    [['rebuild', '--since', 'yesterday'], 'Not a day (YYYY-MM-DD): "yesterday"'],
    [['report', '--from', '2026-02-30'], 'Not a day (YYYY-MM-DD): "2026-02-30"'],
    [
      ['export', '--from', '2026-02-02', '--to', '2026-02-01'],
      'The period ends before it begins: --from 2026-02-02 --to 2026-02-01.',
    ],
    [['report', '--by', 'hour'], '--by is day, operation or payer, not "hour".'],
    [['receipts', '0x12'], '"0x12" is not an address: 0x and 40 hexadecimal digits.'],
    [['show', '0x12'], '"0x12" is not a payment id, a transaction or a payer: 0x and 64 or 40 hexadecimal digits.'],
  ] as const) {
    it(`says what is wrong with "ledger ${words.join(' ')}", and opens nothing`, async () => {
      assert.deepEqual((await run(['ledger', ...words])).error, new OperatorError(message));
      assert.equal(opened, 0);
    });
  }

  it('explains itself without opening anything, and names every job', async () => {
    const { exitCode, out } = await run([]);
    assert.equal(exitCode, 0);
    for (const words of [['--help'], ['suppress', '--help'], ['ingest', 'county', '-h']])
      assert.deepEqual(await run(['help']), await run(words));
    for (const { job } of timetable) assert.match(out, new RegExp(`^  ${job} `, 'm'));
    assert.equal(opened, 0);
  });

  it('names the nearest verb where there is no such one', async () => {
    const { error } = await run(['ingets', 'brokers']);
    assert.match(
      error instanceof OperatorError ? error.message : '',
      /^Invalid command: ingets brokers\. Did you mean ingest\?\n/,
    );
    const { error: none } = await run(['restart']);
    assert.match(none instanceof OperatorError ? none.message : '', /^Invalid command: restart\n\nThe/);
    assert.equal(opened, 0);
  });

  for (const words of [
    ['jobs', 'all'],
    ['run'],
    ['run', 'listings', 'publish'],
    ['ingest'],
    ['ingest', 'a', 'b'],
    ['ingest', 'a', '--reason', 'x'],
    ['suppress', '1 Main St'],
    ['suppress', '1 Main St', '--reason', 'x', '--dry-run'],
    ['suppress', '1 Main St', '--reason', 'x', '--accept-shrink'],
    ['sources', 'now'],
    ['publish', 'now'],
    ['ledger'],
    ['ledger', 'refund', `0x${'ab'.repeat(32)}`],
    ['ledger', 'refunds', '--by', 'day'],
    ['ledger', 'audit', '--since', '2026-02-01'],
  ]) {
    it(`refuses "${words.join(' ')}" with the help, and opens nothing`, async () => {
      const { error } = await run(words);
      assert.ok(error instanceof OperatorError);
      assert.match(error.message, new RegExp(`^Invalid command: ${words.join(' ')}\n\nThe operator's command line`));
      assert.equal(opened, 0);
    });
  }
});
