type Child = Node | string | null;
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Makes an HTML element. Children that are strings become text nodes and attributes are set as attributes, never
 * as handlers or markup: a string from outside cannot turn into code. `null` and `false` leave an attribute out.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (/^on|^(href|src|srcdoc|style)$/.test(name)) throw new Error(`element() sets no ${name}`);
    made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}
