import assert from 'node:assert/strict';
import { assertPaid } from '../answer.js';
import { openShop, type Shop } from '../shop.js';

const path = '/api/deals';
const query = `${path}?limit=5`;

interface Connection {
  query(statement: string | { readonly name?: string; readonly text?: string }, ...more: unknown[]): unknown;
}

describe('what a purchase costs the ledger', () => {
  let shop: Shop;
  /** Every statement that reached the database, by its name or its text. */
  const statements: string[] = [];

  before(async () => {
    shop = await openShop();
    const { client } = shop.app.database.knex as unknown as { client: { acquireConnection(): Promise<Connection> } };
    const acquire = client.acquireConnection.bind(client);
    const watched = new WeakSet<Connection>();
    client.acquireConnection = async () => {
      const connection = await acquire();
      if (!watched.has(connection)) {
        const query = connection.query.bind(connection);
        connection.query = (statement, ...more) => {
          statements.push(typeof statement === 'string' ? statement : (statement.name ?? statement.text ?? ''));
          return query(statement, ...more);
        };
        watched.add(connection);
      }
      return connection;
    };
  });
  after(() => shop?.close());

  async function buy(count: number): Promise<string[]> {
    const headers = await Promise.all(Array.from({ length: count }, () => shop.sign(path)));
    statements.length = 0;
    const answers = await Promise.all(headers.map((each) => shop.pay(query, each)));
    answers.forEach(assertPaid);
    // On a server a timer asks each second which leads are held.
    return statements.filter((each) => /payment|relayer/.test(each) && !each.includes('FROM lead_holds'));
  }

  it('is two statements before the data leaves, and one for the transaction that settles', async () => {
    const made = (await buy(1)).filter((each) => each !== 'payment_record_deliveries');
    assert.deepEqual(made, ['payment_claim', 'relayer_keep', 'payment_finish']);
  });

  it('is no more in all, deliveries included, when many buy at once, and one for each transaction', async () => {
    await shop.knowPayers();
    const made = await buy(60);
    const transactions = made.filter((each) => each === 'relayer_keep').length;
    assert.ok(transactions < 60, `${transactions} transactions`);
    assert.ok(made.length <= 2 * 60 + transactions, made.join());
  });
});
