/** What this browser has bought. */
export interface BoughtItem {
  readonly paymentId: string;
  /** Path and query. */
  readonly url: string;
  readonly title: string;
  readonly priceUsd: string;
  readonly payer: string;
  readonly network: string;
  readonly transaction: string | undefined;
  readonly receipt: string | null;
  readonly boughtAt: string;
  /** The reply, unchanged; of a list with the further pages that were fetched. */
  readonly body: string;
  /** Where the next page of a list is, free for half an hour. */
  readonly next?: string | undefined;
}

/** Whether it is a report, which has a page of its own. */
export const isReport = ({ url }: BoughtItem): boolean => /\/report$/.test(url);

const mostKept = 200;
const store = 'purchases';

async function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open('deals-feed', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store, { keyPath: 'paymentId' });
  return settled(opening);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser’s database failed.'));
  });
}

async function within<T>(mode: IDBTransactionMode, work: (items: IDBObjectStore) => Promise<T>): Promise<T> {
  const database = await open();
  try {
    return await work(database.transaction(store, mode).objectStore(store));
  } finally {
    database.close();
  }
}

/** Whether this browser keeps anything: a private window may not. */
export async function canKeep(): Promise<boolean> {
  try {
    localStorage.setItem('deals-feed-probe', '1');
    localStorage.removeItem('deals-feed-probe');
    await within('readonly', (items) => settled(items.count()));
    return true;
  } catch {
    return false;
  }
}

/** Keeps an item; beyond 200 the oldest go. */
export async function keepItem(item: BoughtItem): Promise<void> {
  await within('readwrite', (items) => settled(items.put(item)));
  const all = await listItems();
  const old = all.slice(mostKept);
  if (old.length > 0)
    await within('readwrite', (items) => Promise.all(old.map((each) => settled(items.delete(each.paymentId)))));
}

/** Newest first. */
export async function listItems(): Promise<readonly BoughtItem[]> {
  const all = (await within('readonly', (items) => settled(items.getAll()))) as BoughtItem[];
  return all.sort((one, other) => other.boughtAt.localeCompare(one.boughtAt));
}

export async function findItem(paymentId: string): Promise<BoughtItem | undefined> {
  return (await within('readonly', (items) => settled(items.get(paymentId)))) as BoughtItem | undefined;
}

export async function deleteItem(paymentId: string): Promise<void> {
  await within('readwrite', (items) => settled(items.delete(paymentId)));
}
