import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findProjectFile } from '../../src/project-file.js';
import { isNode } from '../contract/schema-nodes.js';
import { answerCalls, type Answer } from './replayed-calls.js';

/**
 * The specification's calls, as the service answered them on 27 November 2026, before it had filters by place, figures
 * and moments, an order, views, counts, events and coverage. One line per request, written by `answerCalls` of then.
 * They are never recorded again.
 */
const recorded = readFileSync(findProjectFile('test/specification/replayed-answers.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as [request: string, answer: Answer]);

/** Every difference that is meant: the request and the place in its answer, and why. */
const meant: readonly (readonly [RegExp, string])[] = [
  [/\/body\/preview$/, 'a 402 tells what its query would match'],
  [/\/body\/resource\/url$/, 'the resource of a payment is the request with its parameters'],
  [/(report|lookup\S*) \/body\/resource\/(description|tags|iconUrl)$/, 'catalogs are told more of what is sold'],
  [
    /^\/api\/\S+ \/body\/(x402Version|resource|accepts|extensions|error|reason)$/,
    'the 402 of a faulty request is about the fault',
  ],
  [/^\S+ \/body\/(title|type)$/, 'the same'],
  [/\/body\/errors\/\d+\/(detail|nearest)$/, 'a fault has a value, a cure and the nearest name'],
  [/from_date=12\/01\/2026 \/body\/errors\/length$/, 'the same, once per parameter'],
  [
    /paid \S+(city=Nowhere|99999999|Nowhere%20Ave\S*|00b8b1f2a11\S*) \/body\/(type|title|reason|coverage)$/,
    'coverage is decided by counties',
  ],
  [/\/body\/(detail|note|how_to)$/, 'plainer words'],
  [
    /\/api\/meta \/body\/(pricing\/GET .*|(signals_feed\/|auctions_feed\/)?filters\/.*)$/,
    'new operations and parameters',
  ],
  [
    /\/api\/meta \/body\/(assumption_set\/.*|assumption_grounds|rules|underwriting\/.*|coverage\/(hot|warm))$/,
    'new rules',
  ],
  [/\/api\/meta \/body\/record_schema_notes\/.*$/, 'the fields of the new rules'],
  [/\/(underwriting_inputs|score_inputs)$/, 'the same'],
  [/lookup\S* \/body\/rule_version$/, 'the same'],
  [/report \/body\/(requested_id|former_ids|sources)$/, 'a report names its sources and former ids'],
];

describe('the calls of the specification', function () {
  it('are answered byte for byte as before there were filters, counts and events, but for what is meant', async () => {
    const answers = await answerCalls();
    assert.deepEqual(
      Object.keys(answers),
      recorded.map(([request]) => request),
    );
    const differences = recorded.flatMap(([request, before]) =>
      compare(before, answers[request], '').map((each) => `${request} ${each}`),
    );
    const placeOf = (each: string): string => each.slice(0, each.indexOf(': '));
    assert.deepEqual(
      differences.filter((each) => !meant.some(([where]) => where.test(placeOf(each)))),
      [],
    );
    const unused = meant.filter(([where]) => !differences.some((each) => where.test(placeOf(each))));
    assert.deepEqual(unused, [], 'each meant difference is one');
  });
});

/** Each place where two answers differ, in values, in members or in the order of members, with both texts. */
function compare(before: unknown, now: unknown, at: string): string[] {
  if (Array.isArray(before) && Array.isArray(now)) {
    const told = before.length === now.length ? [] : [`${at}/length: ${before.length}, now ${now.length}`];
    return [
      ...told,
      ...before.flatMap((each, index) => (index < now.length ? compare(each, now[index], `${at}/${index}`) : [])),
    ];
  }
  if (!isNode(before) || !isNode(now)) {
    const [was, is] = [before, now].map((each) => JSON.stringify(each) as string | undefined);
    return was === is ? [] : [`${at}: ${was}, now ${is}`];
  }
  const shared = (one: object, other: object): string =>
    Object.keys(one)
      .filter((name) => name in other)
      .join(' ');
  const [was, is] = [shared(before, now), shared(now, before)];
  return [
    ...(was === is ? [] : [`${at}/order: ${was}, now ${is}`]),
    ...[...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) =>
      compare(before[name], now[name], `${at}/${name}`),
    ),
  ];
}
