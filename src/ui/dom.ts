type Child = Node | string | null;
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Makes an HTML element. Children that are strings become text nodes and attributes are set as attributes, never
 * as handlers or markup: a string from outside cannot turn into code. `null` and `false` leave an attribute out.
 */
export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (/^on|^(href|src|srcdoc|style)$/.test(name)) throw new Error(`html() sets no ${name}`);
    made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Picks an entry. A link may name one that this version does not have: Start then says so, instead of taking another one. */
export function choose(select: HTMLSelectElement, id: string | null): void {
  if (id === null) return;
  if (![...select.options].some(({ value }) => value === id))
    select.append(html('option', { value: id }, `${id} (unknown)`));
  select.value = id;
}

/** The element of index.html with this id; throws when page and code have drifted apart. */
export function byId<Made extends Element>(id: string, type: abstract new () => Made): Made {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`index.html has no ${type.name} with the id "${id}"`);
  return found;
}

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

/**
 * Writes a property only when it has another value. An element takes an equal write for a change: an attribute set to
 * what it was still costs style, and on `body` the style of everything below it.
 */
export function setTo<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  value: Target[Name],
): void {
  if (target[name] !== value) target[name] = value;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Makes a small drawing of paths, each with its attributes: decorative, unless it has a label. */
export function svg(
  { width, height, label }: { width: number; height: number; label?: string },
  paths: readonly Readonly<Record<string, string>>[],
): SVGSVGElement {
  const made = document.createElementNS(SVG, 'svg');
  made.setAttribute('viewBox', `0 0 ${width} ${height}`);
  made.setAttribute('width', String(width));
  made.setAttribute('height', String(height));
  if (label !== undefined) made.setAttribute('role', 'img');
  made.setAttribute(label === undefined ? 'aria-hidden' : 'aria-label', label ?? 'true');
  for (const attributes of paths) {
    const path = document.createElementNS(SVG, 'path');
    for (const [name, value] of Object.entries(attributes)) path.setAttribute(name, value);
    made.append(path);
  }
  return made;
}

/** Whether a text could be put on the clipboard: without a secure context there is none. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
