/** An element as text: attributes that are null are left out, children are indented below. PURE. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | null>>,
  children: readonly string[] | string = [],
): string {
  const pairs = Object.entries(attributes).filter(([, value]) => value !== null);
  const head = [name, ...pairs.map(([key, value]) => `${key}="${escapedXml(String(value))}"`)].join(' ');
  if (typeof children === 'string') return `<${head}>${escapedXml(children)}</${name}>`;
  if (children.length === 0) return `<${head}/>`;
  const body = children.flatMap((child) => child.split('\n')).map((line) => `  ${line}`);
  return [`<${head}>`, ...body, `</${name}>`].join('\n');
}

function escapedXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
