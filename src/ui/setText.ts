/** Writes a text only when it is another one: an equal write would still cost style and layout. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
