import assert from 'node:assert/strict';
import type { EventList } from '../../generated/types.gen.js';
import { absent, known } from '../../src/absence.js';
import { dealKind } from '../../src/feeds/query/deal-kind.js';
import { shapeOf } from '../../src/feeds/store/shape.js';
import { nextLink } from '../support/api-client.js';
import { buy } from '../support/pay.js';
import { openEventsShop } from './events-shop.js';

describe('listEvents', () => {
  const { app, clock, now, inDays, offer, priced, sale, publish, urlOf, buyEvents, refused, brief } = openEventsShop();

  it('tells what each publication did to deals: listed, repriced, of another status, removed, and listed again', async () => {
    await publish([offer(1), offer(2)]);
    await publish([priced(1, '380000.00'), offer(2), offer(3)]);
    const { events, next_cursor: cursor } = await buyEvents();
    assert.deepEqual(
      events
        .filter(({ event }) => event !== 'status_changed')
        .map(brief)
        .sort(),
      [
        ['listed', null, null, null],
        ['repriced', { list_price: '400000.00' }, { list_price: '380000.00' }, '-5.00'],
      ],
    );
    const [listed] = events.filter(({ event }) => event === 'listed');
    assert.ok(listed?.entity === 'deal' && listed.record?.address === '3 Example Ave');
    assert.deepEqual(listed.absent, {
      before: { reason: 'not_applicable' },
      after: { reason: 'not_applicable' },
      change_pct: { reason: 'not_applicable' },
    });
    await publish([priced(1, '380000.00'), offer(2)]);
    const gone = await buyEvents(`cursor=${cursor}`);
    assert.deepEqual(gone.events.map(brief), [['removed', { list_price: '400000.00' }, null, null]]);
    assert.deepEqual([gone.events[0]?.id, gone.events[0]?.record], [listed.id, null]);
    await publish([priced(1, '380000.00'), offer(2, { listPrice: known('40000.00') }), offer(3)]);
    const { events: again } = await buyEvents(`cursor=${gone.next_cursor}&event=listed,relisted`);
    assert.deepEqual(
      again.map(({ event, id }) => [event, id]),
      [['relisted', listed.id]],
    );
  });

  it('tells a price that becomes known or unknown, and no small or unsettled change', async () => {
    const all = [1, 2, 3, 4];
    await publish(all.map((number) => offer(number)));
    const unknown = offer(1, { listPrice: absent('not_stated_by_source') });
    const small = [priced(2, '399600.00'), priced(3, '4000000.00'), priced(4, '396000.00')];
    await publish([unknown, ...small]);
    const { events, next_cursor: cursor } = await buyEvents('event=repriced');
    assert.deepEqual(
      events.map(brief).sort(),
      [
        ['repriced', { list_price: '400000.00' }, {}, null],
        ['repriced', { list_price: '400000.00' }, { list_price: '396000.00' }, '-1.00'],
      ].sort(),
    );
    assert.deepEqual(events.find(({ change_pct: change }) => change === null)?.absent, {
      change_pct: { reason: 'insufficient_inputs' },
    });
    // Two small changes are one that is not; a typing error is none.
    await publish([offer(1), priced(2, '399200.00'), offer(3), priced(4, '396000.00')]);
    const later = await buyEvents(`event=repriced&cursor=${cursor}`);
    assert.deepEqual(
      later.events.map(brief).sort(),
      [
        ['repriced', {}, { list_price: '400000.00' }, null],
        ['repriced', { list_price: '400000.00' }, { list_price: '399200.00' }, '-0.20'],
      ].sort(),
    );
  });

  it('tells what happened to auctions: new, repriced, of another status, and rescheduled', async () => {
    await publish([offer(1)], [sale(1), sale(2)]);
    await publish(
      [offer(1)],
      [
        sale(1, { openingBid: known('50000'), appraisedValue: known('80000') }),
        sale(2, { saleStatus: 'adjourned', saleDate: inDays(30) }),
        sale(4),
      ],
    );
    const { events, head } = await buyEvents('feed=auctions&include_past=true');
    assert.deepEqual(
      new Map(events.map((event) => [event.event, brief(event).slice(1)])),
      new Map([
        ['listed', [null, null, null]],
        [
          'repriced',
          [
            { opening_bid: '60000.00', appraised_value: '90000.00' },
            { opening_bid: '50000.00', appraised_value: '80000.00' },
            '-16.67',
          ],
        ],
        ['status_changed', [{ sale_status: 'scheduled' }, { sale_status: 'adjourned' }, null]],
        ['rescheduled', [{ sale_date: inDays(20) }, { sale_date: inDays(30) }, null]],
      ] as never),
    );
    assert.match(head, /^a2-\d+$/);
    const [listed] = events.filter(({ event }) => event === 'listed');
    assert.deepEqual(Object.keys(listed?.record ?? {}), [
      ...['id', 'county', 'sale_date', 'sale_status', 'property_address', 'city', 'source_url', 'absent'],
    ]);
  });

  it("tells a deal's new statuses, by the status before and by the one after, and no other change of it", async () => {
    const capped = (cap: string) => offer(1, { capRate: known(cap) });
    await publish([capped('9.50'), offer(2)]);
    await publish([capped('9.60'), offer(2)]);
    assert.equal((await refused('cursor=d1-0')).reason, 'no_events');
    await publish([capped('4.00'), offer(2)]);
    const { events } = await buyEvents('cursor=d2-0');
    assert.deepEqual(events.map(brief), [
      ['status_changed', { rental_status: 'Warm' }, { rental_status: 'Pass' }, null],
    ]);
    for (const status of ['Warm', 'Pass'])
      assert.deepEqual((await buyEvents(`cursor=d2-0&status=${status}`)).events, events, status);
    assert.equal((await refused('cursor=d2-0&status=Hot')).reason, 'no_events');
  });

  it('tells nothing of a column that the version before had not stored, and all of the others', async () => {
    await publish([offer(1), offer(2)]);
    const { knex } = app().database;
    await knex.raw(`update published_records set columns = columns - 'rentalStatus' where feed = 'deals'`);
    const { rentalStatus: _, ...columns } = dealKind.columns;
    await knex('feed_versions')
      .where({ feed: 'deals' })
      .update({ shape: shapeOf({ ...dealKind, columns }) });
    await publish([priced(1, '300000.00'), offer(2)]);
    assert.deepEqual((await buyEvents('cursor=d1-0')).events.map(brief), [
      ['repriced', { list_price: '400000.00' }, { list_price: '300000.00' }, '-25.00'],
    ]);
    await publish([priced(1, '300000.00'), offer(2, { capRate: known('4.00') })]);
    const { events } = await buyEvents('cursor=d2-0&event=status_changed');
    assert.deepEqual(events.map(brief), [
      ['status_changed', { rental_status: 'Warm' }, { rental_status: 'Pass' }, null],
    ]);
    // What the version before did not store of a record is unknown, and matches no filter; the record after does.
    assert.equal((await buyEvents('cursor=d1-0&status=Warm&event=repriced')).events.length, 1);
  });

  it('matches the record before or after: what falls below a limit is seen, and so is what matched and went', async () => {
    await publish([offer(1), offer(2), offer(3)]);
    await publish([priced(1, '300000.00'), priced(2, '500000.00')]);
    const found = async (filter: string) => (await buyEvents(filter)).events.length;
    assert.equal(await found('max_price=350000&event=repriced'), 1);
    assert.equal(await found('min_price=450000&event=repriced'), 1);
    assert.equal(await found('min_price=390000&max_price=410000&event=repriced,removed'), 3);
    assert.equal((await refused('max_price=100000')).reason, 'no_events');
  });

  it('goes on by its cursor over pages, and repeats and skips nothing where they are not read to the end', async () => {
    await publish([offer(1)]);
    await publish([1, 2, 3, 4, 5].map((number) => offer(number)));
    const first = await buy(urlOf('limit=2'));
    const one = (await first.json()) as EventList;
    assert.deepEqual([one.events.length, one.has_more, first.headers.get('x-total-count')], [2, true, '4']);
    await publish([1, 2, 3, 4, 5, 6].map((number) => offer(number)));
    // The head of a purchase is frozen.
    const page = await fetch(app().url + (nextLink(first) ?? assert.fail()));
    const rest = (await page.json()) as EventList;
    assert.deepEqual([page.status, rest.events.length, rest.has_more], [200, 2, false]);
    assert.deepEqual([rest.head, rest.next_cursor], [one.head, one.head]);
    const ids = (list: EventList) => list.events.map(({ event_id: id }) => id);
    const onward = await buyEvents(`cursor=${one.next_cursor}`);
    assert.deepEqual(ids(onward).slice(0, 2), ids(rest));
    assert.equal(onward.events.length, 3);
    assert.equal(new Set([...ids(one), ...ids(onward)]).size, 5);
    clock.aheadMs += 32 * 60_000;
    assert.equal((await fetch(app().url + (nextLink(first) ?? ''))).status, 410);
  });

  it('is free and says where to go on when nothing has happened since', async () => {
    await publish([offer(1)]);
    await publish([offer(1), offer(2)]);
    const { next_cursor: cursor } = await buyEvents();
    const problem = await refused(`cursor=${cursor}&event=repriced`);
    assert.deepEqual([problem.reason, problem.next_cursor], ['no_events', cursor]);
    await publish([priced(1, '401000.00'), offer(2)]);
    const moved = await refused(`cursor=${cursor}&event=removed`);
    assert.notEqual(moved.next_cursor, cursor);
    assert.equal((await refused(`cursor=${moved.next_cursor}`)).next_cursor, moved.next_cursor);
    // The same data again is no event: only when it was last seen is another.
    clock.aheadMs += 1_000;
    await publish([priced(1, '401000.00'), offer(2)]);
    assert.equal((await refused(`cursor=${moved.next_cursor}`)).reason, 'no_events');
  });

  it('says 304 to the ETag of the same cursor and head', async () => {
    await publish([offer(1)]);
    await publish([offer(1), offer(2)]);
    const url = urlOf('cursor=d1-0');
    const etag = (await buy(url)).headers.get('etag') ?? assert.fail();
    clock.aheadMs += 2 * 3_600_000;
    const ask = async () => (await fetch(url, { headers: { 'If-None-Match': etag } })).status;
    assert.equal(await ask(), 304);
    await publish([offer(1), offer(2), offer(3)]);
    assert.equal(await ask(), 402);
  });

  it('answers 410 for a cursor ahead of the head, or a moment before 90 days, with the earliest cursor', async () => {
    await publish([offer(1)]);
    await publish([offer(1), offer(2)]);
    for (const query of ['cursor=d9-0', `since=${inDays(-91)}`]) {
      const problem = await refused(query, 410);
      assert.deepEqual([problem.reason, problem.earliest_cursor], ['cursor_expired', 'd1-0']);
    }
    assert.equal((await buyEvents('cursor=d1-0')).events.length, 1);
    assert.equal((await buyEvents(`since=${inDays(-89)}`)).events.length, 1);
    assert.equal((await refused(`since=${now().toISOString()}`)).reason, 'no_events');
  });

  it('refuses what belongs to another feed, or excludes another parameter', async () => {
    await publish([offer(1)]);
    const faults: Readonly<Record<string, string>> = {
      'feed=auctions&min_dscr=1.2': 'a filter of deals, not of this feed',
      'min_appraised=10000': 'a filter of auctions, not of this feed',
      'cursor=a1-0': 'a cursor of deals begins with d',
      'cursor=d1-0&since=2026-01-01': 'cursor excludes since',
      'event=rescheduled': 'rescheduled is an event of auctions',
      'since=2031-01-01': 'a moment that has passed',
    };
    for (const [query, detail] of Object.entries(faults)) {
      const { errors } = await refused(query, 400);
      assert.deepEqual(
        errors.map((fault) => fault.detail),
        [detail],
        query,
      );
    }
  });
});
