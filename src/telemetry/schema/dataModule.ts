/**
 * The exports of a module as the source of another that only holds their data, each different object once. The build
 * of the page replaces `sessionLog.ts` by it, so that the page reads sessions by the same schemas without the library
 * that makes them.
 */
export function dataModule(exports: Readonly<Record<string, unknown>>): string {
  const names = new Map<string, string>();
  const nameOf = (literal: string): string => {
    const name = names.get(literal) ?? `data${names.size}`;
    names.set(literal, name);
    return name;
  };
  const exported = Object.entries(exports).map(
    ([name, value]) => `export const ${name} = ${expression(value, nameOf)};`,
  );
  const shared = [...names].map(([literal, name]) => `const ${name} = ${literal};`);
  return [...shared, ...exported, ''].join('\n');
}

/** Parts are named before their wholes, so that every name stands above its use. */
function expression(value: unknown, nameOf: (literal: string) => string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return nameOf(`[${value.map((entry) => expression(entry, nameOf)).join()}]`);
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}:${expression(field, nameOf)}`,
  );
  return nameOf(`{${fields.join()}}`);
}
