import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { generalOptions, ownVerbs, findVerb, optionOf, verbOperations } from '../../../src/client/cli/verbs.js';
import { runCommand } from '../../../src/client/cli/run-command.js';
import { createMemoryStorage } from '../../../src/client/payments/payment-storage.js';
import { loadContract } from '../../../src/contract/load-contract.js';
import { createMemoryFiles } from './run.js';
import { shareApp, type SharedApp } from '../../support/shared-app.js';

const contract = loadContract();

describe('the verbs', () => {
  it('have the parameters and prices of the contract, and no ambiguous option', () => {
    const kinds = new Map<string, string>(Object.keys(generalOptions).map((name) => [name, 'general']));
    for (const { id, parameters, priceUsd } of verbOperations) {
      const operation = contract.operations.find(({ operationId }) => operationId === id);
      const named = operation?.parameters.filter((each) => each.in !== 'header').map(({ name }) => name);
      assert.deepEqual(parameters.map(({ name }) => name).toSorted(), named?.toSorted(), id);
      assert.equal(priceUsd ?? undefined, operation?.priceUsd, id);
      for (const parameter of parameters) {
        const kind = parameter.type === 'boolean' ? 'boolean' : 'value';
        const option = optionOf(parameter);
        assert.equal(kinds.get(option) ?? kind, kind, option);
        kinds.set(option, kind);
      }
    }
  });
});

describe('the examples of the verbs, against the running service', () => {
  let app: SharedApp;
  const storage = createMemoryStorage();

  before(async () => {
    app = await shareApp();
  });

  async function run(words: readonly string[]) {
    let out = '';
    let notes = '';
    const code = await runCommand(words, {
      environment: { BASE_URL: app.url },
      out: { write: (text) => void (out += text) },
      notes: { write: (text) => void (notes += text) },
      width: 100,
      isColored: false,
      files: createMemoryFiles(),
      openBrowser: async () => false,
      sleep: async () => undefined,
      storage,
      now: () => new Date(),
      random: () => 0,
      randomBytes,
    });
    return { code, out, notes };
  }

  const firstId = async (): Promise<string> => app.feeds.deals.current().records.at(0)?.id ?? '';

  /** Values of an example from a live server: an existing deal and payment. */
  const live: { readonly [Verb in string]?: () => Promise<string> } = {
    report: firstId,
    'report-preview': firstId,
    async lookup() {
      const { address, city, state, zip } = JSON.parse(
        (await run(['basic-deals', '--limit', '1', '--ndjson'])).out,
      ) as Record<string, string>;
      return `${address}, ${city}, ${state} ${zip}`;
    },
    payment: async () => paymentOf((await run(['hot-deals', '--limit', '3'])).notes),
    'payment-reply': async () => paymentOf((await run(['hot-deals', '--limit', '4'])).notes),
  };

  for (const { verb, example } of verbOperations) {
    it(`${verb} ${example.join(' ')}`, async () => {
      const [first, ...rest] = example;
      const word = await live[verb]?.();
      const { code, out, notes } = await run([verb, ...(word === undefined ? example : [word, ...rest])]);
      assert.equal(code, 0, notes);
      assert.ok(out.length > 2 && (first === '--csv' || JSON.parse(out) !== null));
      const { priceUsd } = findVerb(verb) ?? {};
      assert.match(notes, priceUsd === null ? /Free: nothing was paid\.\n$/ : new RegExp(`Paid \\$${priceUsd} on`));
    });
  }

  // test/client/mcp covers the bridge.
  const { mcp: _, completion: __, ...others } = ownVerbs;
  for (const [verb, { example }] of Object.entries(others)) {
    it(`${verb} ${example.join(' ')}`, async () => {
      const { code, out, notes } = await run([verb, ...example]);
      assert.equal(code, 0, notes);
      assert.ok(JSON.parse(out) !== null);
    });
  }

  it('price alone is the price list of the server', async () => {
    const { pricing } = JSON.parse((await run(['meta'])).out) as { pricing: object };
    assert.deepEqual(JSON.parse((await run(['price'])).out), pricing);
  });

  it('gets the reply of a payment again, byte for byte, free', async () => {
    const bought = await run(['auctions', '--limit', '2', '--include-past']);
    const again = await run(['payment-reply', paymentOf(bought.notes)]);
    assert.equal(again.out, bought.out);
    assert.match(again.notes, /Free/);
  });
});

/** The payment's id, as the command prints it. */
function paymentOf(notes: string): string {
  return /^Payment (0x[0-9a-f]{64})$/m.exec(notes)?.[1] ?? assert.fail(notes);
}
