/** @typedef {Node | string | number | null | undefined} Leaf */
/** @typedef {Leaf | readonly (Leaf | readonly Leaf[])[]} Child */

/**
 * Creates an HTML element. Attributes are strings; `undefined` ones are omitted. Children other than nodes become text.
 * @param {string} name
 * @param {Readonly<Record<string, string | undefined>>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * Creates an SVG element, like `h`.
 * @param {string} name
 * @param {Readonly<Record<string, string | undefined>>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  return /** @type {SVGElement} */ (fill(element, attributes, children));
}

/**
 * A link, only for an http or https address; otherwise plain text.
 * @param {string | null} address
 * @param {string} text
 */
export function link(address, text) {
  return address !== null && /^https?:\/\//i.test(address)
    ? h('a', { href: address, rel: 'noopener noreferrer' }, text)
    : h('span', {}, text);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Readonly<Record<string, string | undefined>>} attributes
 * @param {readonly Child[]} children
 * @returns {T}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {readonly Child[]} children
 */
function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined) continue;
    if (child instanceof Node) element.append(child);
    else if (typeof child === 'object') append(element, child);
    else element.append(String(child));
  }
}
