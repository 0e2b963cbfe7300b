import type { DefaultTreeAdapterTypes } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** The elements of a name below a node, in their order. */
export function elementsOf(node: Node, name: string): Element[] {
  if (!('childNodes' in node)) return [];
  return node.childNodes.flatMap((child) => [
    ...('tagName' in child && child.tagName === name ? [child] : []),
    ...elementsOf(child, name),
  ]);
}

/** What a reader of the page can see: no scripts and styles. */
export function textOf(node: Node): string {
  if ('value' in node) return node.value;
  if (!('childNodes' in node)) return '';
  return node.childNodes
    .filter((child) => !('tagName' in child) || (child.tagName !== 'script' && child.tagName !== 'style'))
    .map(textOf)
    .join('');
}

export function attributeOf(element: Element, name: string): string | null {
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? null;
}
