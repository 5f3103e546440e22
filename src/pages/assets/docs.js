import './copy.js';

// Shows only the operations that have what is looked for, here and in the list.

const find = /** @type {HTMLInputElement} */ (document.querySelector('#find'));
find.addEventListener('input', () => {
  const words = find.value.trim().toLowerCase();
  for (const operation of document.querySelectorAll('.operation')) {
    const isFound = (operation.textContent ?? '').toLowerCase().includes(words);
    operation.toggleAttribute('hidden', !isFound);
    document.querySelector(`.contents a[href="#${operation.id}"]`)?.parentElement?.toggleAttribute('hidden', !isFound);
  }
});
