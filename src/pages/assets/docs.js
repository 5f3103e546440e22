import './copy.js';

// Shows only the operations that have what is looked for, here and in the list.

const find = /** @type {HTMLInputElement} */ (document.querySelector('#find'));
const operations = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.operation'));

find.addEventListener('input', () => {
  const words = find.value.trim().toLowerCase();
  for (const operation of operations) {
    const link = document.querySelector(`.contents a[href="#${operation.id}"]`)?.parentElement;
    operation.hidden = !(operation.textContent ?? '').toLowerCase().includes(words);
    if (link) link.hidden = operation.hidden;
  }
});

// On a phone one select stands for the list.
const go = /** @type {HTMLSelectElement} */ (document.querySelector('#go'));
/** @type {HTMLElement} */ (go.closest('.go')).hidden = false;
go.addEventListener('change', () => (location.hash = go.value));
