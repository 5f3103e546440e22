import { h } from '../assets/dom.js';

/** A link that saves a text as a file. */
export function fileLink(label: string, text: string, type: string, name: string): HTMLElement {
  const href = URL.createObjectURL(new Blob([text], { type }));
  return h('a', { class: 'button quiet', href, download: name }, label);
}
