import { h } from './dom.js';

/**
 * A link that saves a text as a file.
 * @param {string} label
 * @param {string} text
 * @param {string} type
 * @param {string} name
 */
export function fileLink(label, text, type, name) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  return h('a', { class: 'button quiet', href, download: name }, label);
}
