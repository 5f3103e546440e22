import { parse, defaultTreeAdapter as tree, type DefaultTreeAdapterTypes as Types } from 'parse5';

type Element = Types.Element;

/** A page as its elements, in document order. */
export function readHtml(html: string): readonly Element[] {
  const found: Element[] = [];
  const walk = (node: Types.ParentNode): void => {
    for (const child of node.childNodes) {
      if (!tree.isElementNode(child)) continue;
      found.push(child);
      walk(child);
    }
  };
  walk(parse(html));
  return found;
}

/** The value of an attribute; undefined when the element has none. */
export function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

/** The text content, as a reader sees it. */
export function textOf(element: Types.ParentNode): string {
  return element.childNodes
    .map((child) => (tree.isTextNode(child) ? child.value : tree.isElementNode(child) ? textOf(child) : ''))
    .join('');
}
