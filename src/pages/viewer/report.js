import '../assets/bar.js';
import { fileLink } from '../assets/file-link.js';
import { rulesUrl } from './draw-numbers.js';
import { drawReport } from './draw-report.js';
import { readReport } from './read-report.js';

// The viewer: draws a report that is dropped, chosen, pasted or fetched again. No report leaves the browser.

const byId = (/** @type {string} */ id) => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no ${id}`);
  return element;
};

const target = /** @type {HTMLDetailsElement} */ (byId('drop'));
const told = byId('told');
const drawn = byId('drawn');
const chooser = /** @type {HTMLInputElement} */ (byId('file'));

/**
 * @param {string} text
 * @returns {boolean} whether it could be drawn
 */
function show(text) {
  try {
    const report = readReport(text);
    drawn.replaceChildren(...draw(report));
    for (const id of ['intro', 'get-one']) byId(id).hidden = true;
    target.open = false;
    document.title = [report.deal.address ?? 'Report', report.deal.city].join(', ');
    tell('');
    byId('print').hidden = false;
    const heading = byId('deal');
    heading.tabIndex = -1;
    heading.focus();
    return true;
  } catch (error) {
    drawn.replaceChildren();
    tellError(error);
    return false;
  }
}

/** @param {import('../../../generated/types.gen.js').Report} report */
function draw(report) {
  try {
    return drawReport(report);
  } catch {
    throw new Error('This report cannot be drawn: a part of it is missing or has another format.');
  }
}

/** @param {string} message */
function tell(message, isBad = false) {
  told.textContent = message;
  told.classList.toggle('bad', isBad);
}

/** @param {unknown} error */
function tellError(error) {
  tell(error instanceof Error ? error.message : 'The wallet refused.', true);
}

// The client that pays is loaded when it is wanted.
const buyUrl = '/assets/buy.js';
const loadBuying = () => /** @type {Promise<typeof import('../browser/buy.js')>} */ (import(buyUrl));

const sampleUrl = '/assets/report-sample.js';

/** The sample, which is no deal that is sold. */
async function showSample() {
  const { sample } = /** @type {typeof import('./report-sample.js')} */ (await import(sampleUrl));
  show(JSON.stringify(sample));
  tell('A free sample of what a report holds. The property is fictional, its HUD rents are real.');
}

/**
 * The reply of a payment again, free: the wallet that paid signs a proof, not a payment.
 * @param {string} paymentId
 */
async function fetchAgain(paymentId) {
  if (!/^0x[0-9a-f]{64}$/.test(paymentId))
    throw new Error('A payment id is 0x and 64 hexadecimal digits, as receipts and errors show it.');
  const { fetchReply, findWallets } = await loadBuying();
  const [wallet] = await findWallets();
  if (wallet === undefined)
    throw new Error('This browser has no wallet. Open this page in the browser that paid, or drop the file.');
  return fetchReply(paymentId, { wallet });
}

/** Opens the sample, or what this browser bought, by the payment that the address names. */
async function openNamed() {
  const paymentId = location.hash.slice(1);
  if (paymentId === 'sample') return showSample();
  if (!/^0x[0-9a-f]{64}$/.test(paymentId)) return;
  const item = await (await loadBuying()).findItem(paymentId).catch(() => undefined);
  if (item !== undefined) {
    if (show(item.body)) return;
    tell(`Paid. It cannot be drawn here. Payment ${paymentId}. `);
    told.append(fileLink('Download it as it came', item.body, 'text/plain', 'bought.txt'));
    return;
  }
  /** @type {HTMLInputElement} */ (byId('payment')).value = paymentId;
  tell('This browser does not have this report any more. The wallet that paid gets it again, free.');
}
void openNamed();
window.addEventListener('hashchange', () => void openNamed());

/** @param {File | undefined | null} file */
async function read(file) {
  if (file) show(await file.text());
}

chooser.addEventListener('change', () => void read(chooser.files?.[0]));
byId('again').addEventListener('submit', (submit) => {
  submit.preventDefault();
  const { value } = /** @type {HTMLInputElement} */ (byId('payment'));
  tell('Waiting for the wallet …');
  fetchAgain(value.trim().toLowerCase()).then(show, tellError);
});
byId('print').addEventListener('click', () => window.print());
window.addEventListener('beforeprint', () =>
  document.querySelectorAll('details').forEach((part) => (part.open = true)),
);

for (const event of ['dragenter', 'dragover']) {
  document.addEventListener(event, (drag) => {
    drag.preventDefault();
    target.classList.add('over');
  });
}
document.addEventListener('dragleave', () => target.classList.remove('over'));
document.addEventListener('drop', (drop) => {
  drop.preventDefault();
  target.classList.remove('over');
  void read(drop.dataTransfer?.files[0]);
});
document.addEventListener('paste', (paste) => {
  if (paste.target instanceof HTMLInputElement) return;
  const text = paste.clipboardData?.getData('text/plain') ?? '';
  if (text !== '') show(text);
  else void read(paste.clipboardData?.files[0]);
});

// Caches the page and its assets, so that a visited viewer opens offline. Reports are never cached.
if ('serviceWorker' in navigator) {
  const ownAssets = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith('/assets/'));
  navigator.serviceWorker
    .register('/assets/report-worker.js', { scope: '/report' })
    .then(() => caches.open('report-viewer'))
    .then((cache) => cache.addAll([location.pathname, sampleUrl, rulesUrl, ...new Set(ownAssets)]))
    // Without a cache, the open viewer still works.
    .catch(() => undefined);
}
