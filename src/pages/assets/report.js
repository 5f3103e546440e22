import { drawReport } from './draw-report.js';
import { fetchReport } from './fetch-report.js';
import { readReport } from './read-report.js';

// The viewer: draws a report that is dropped, chosen, pasted or fetched again. No report leaves the browser.

const byId = (/** @type {string} */ id) => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no ${id}`);
  return element;
};

const target = byId('drop');
const told = byId('told');
const drawn = byId('drawn');
const chooser = /** @type {HTMLInputElement} */ (byId('file'));

/** @param {string} text */
function show(text) {
  try {
    const report = readReport(text);
    drawn.replaceChildren(...draw(report));
    target.classList.add('done');
    document.title = `${report.deal.address ?? 'Report'}, ${report.deal.city}`;
    tell('');
    byId('print').hidden = false;
    byId('deal').tabIndex = -1;
    byId('deal').focus();
  } catch (error) {
    drawn.replaceChildren();
    tellError(error);
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

/** @param {File | undefined | null} file */
async function read(file) {
  if (file) show(await file.text());
}

chooser.addEventListener('change', () => void read(chooser.files?.[0]));
byId('again').addEventListener('submit', (submit) => {
  submit.preventDefault();
  const { value } = /** @type {HTMLInputElement} */ (byId('payment'));
  const { ethereum } = /** @type {{ ethereum?: import('./fetch-report.js').Wallet }} */ (window);
  tell('Waiting for the wallet …');
  fetchReport(value.trim().toLowerCase(), ethereum).then(show, tellError);
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
    .then((cache) => cache.addAll([location.pathname, ...new Set(ownAssets)]))
    // Without a cache, the open viewer still works.
    .catch(() => undefined);
}
