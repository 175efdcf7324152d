/**
 * Writes a text only when it is another one: an equal write would still cost style and layout. A text that is there
 * changes its characters; a new text node would make the browser build the boxes anew.
 */
export function setText(node: Node, text: string): void {
  const { firstChild } = node;
  if (firstChild instanceof Text && firstChild === node.lastChild) {
    if (firstChild.data !== text) firstChild.data = text;
  } else if (node.textContent !== text) node.textContent = text;
}
