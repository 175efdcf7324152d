import { TextFault, type Place } from './textFault.ts';

/** A JSON value that knows where in the text it begins, so that a reader's error can say so. */
export type PlacedJson =
  | { readonly kind: 'list'; readonly items: readonly PlacedJson[]; readonly place: Place }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, PlacedJson>; readonly place: Place }
  | { readonly kind: 'plain'; readonly value: string | number | boolean | null; readonly place: Place };

interface Token {
  readonly text: string;
  readonly place: Place;
}

interface Tokens {
  peek(): Token;
  take(): Token;
}

/** Space, then a string, a number or word, a sign, or the end (RFC 8259 §2). */
const TOKEN = /([ \t\r\n]*)("(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]|$)/y;

/** Deeper than any trace: a file of nothing but brackets must not exhaust the stack. */
const DEEPEST = 32;

/** Reads JSON (RFC 8259). @throws TextFault */
export function placedJson(text: string): PlacedJson {
  const tokens = tokensOf(text.replace(/^\uFEFF/, ''));
  const value = valueFrom(tokens, 0);
  const rest = tokens.peek();
  if (rest.text !== '')
    throw new TextFault(`After the end of the JSON stands ${reported(rest)}.`, rest.place);
  return value;
}

/** Returns the items of a list. @throws TextFault */
export function listOf(json: PlacedJson | undefined, what: string): readonly PlacedJson[] {
  if (json?.kind === 'list') return json.items;
  throw new TextFault(`${what} must be a list.`, json?.place ?? null);
}

/** Returns the number ≥ 0 in a field of an object. @throws TextFault when the field is missing or something else. */
export function amountIn(json: PlacedJson, name: string): number {
  const amount = amountOrNullIn(json, name);
  if (amount === null) throw new TextFault(`The field ${name} is missing.`, json.place);
  return amount;
}

/** Like `amountIn`; null when the field is missing or null. @throws TextFault */
export function amountOrNullIn(json: PlacedJson, name: string): number | null {
  if (json.kind !== 'object')
    throw new TextFault(`An object with the field ${name} is expected.`, json.place);
  const field = json.fields.get(name);
  if (field === undefined || (field.kind === 'plain' && field.value === null)) return null;
  if (field.kind !== 'plain' || typeof field.value !== 'number' || !Number.isFinite(field.value))
    throw new TextFault(`The field ${name} must be a number.`, field.place);
  if (field.value < 0)
    throw new TextFault(`The field ${name} is ${field.value}; it cannot be negative.`, field.place);
  return field.value;
}

function valueFrom(tokens: Tokens, depth: number): PlacedJson {
  const token = tokens.take();
  const { place } = token;
  if (depth > DEEPEST) throw new TextFault('It is nested too deep for a trace.', place);
  if (token.text === '[')
    return { kind: 'list', items: itemsUntil(']', tokens, () => valueFrom(tokens, depth + 1)), place };
  if (token.text === '{')
    return {
      kind: 'object',
      fields: new Map(itemsUntil('}', tokens, () => fieldFrom(tokens, depth + 1))),
      place,
    };
  return { kind: 'plain', value: plainOf(token), place };
}

function itemsUntil<Item>(end: string, tokens: Tokens, item: () => Item): Item[] {
  const items: Item[] = [];
  while (tokens.peek().text !== end) {
    if (items.length > 0) expectSign(',', tokens);
    items.push(item());
  }
  tokens.take();
  return items;
}

function fieldFrom(tokens: Tokens, depth: number): [string, PlacedJson] {
  const token = tokens.take();
  const name = plainOf(token);
  if (typeof name !== 'string') throw new TextFault(`A field has the name ${reported(token)}.`, token.place);
  expectSign(':', tokens);
  return [name, valueFrom(tokens, depth)];
}

function expectSign(sign: string, tokens: Tokens): void {
  const token = tokens.take();
  if (token.text !== sign) throw new TextFault(`"${sign}" is expected, not ${reported(token)}.`, token.place);
}

function plainOf(token: Token): string | number | boolean | null {
  try {
    return JSON.parse(token.text) as string | number | boolean | null;
  } catch {
    throw new TextFault(`A value is expected, not ${reported(token)}.`, token.place);
  }
}

const reported = ({ text }: Token): string => (text === '' ? 'the end of the file' : JSON.stringify(text));

function tokensOf(text: string): Tokens {
  let [at, line, lineStart] = [0, 1, 0];
  let ahead: Token | null = null;
  const read = (): Token => {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw new TextFault('A string has no end.', { line, column: at - lineStart + 1 });
    const space = match[1]!;
    for (let index = space.indexOf('\n'); index >= 0; index = space.indexOf('\n', index + 1))
      [line, lineStart] = [line + 1, at + index + 1];
    const place = { line, column: at + space.length - lineStart + 1 };
    at = TOKEN.lastIndex;
    return { text: match[2]!, place };
  };
  const peek = (): Token => (ahead ??= read());
  const take = (): Token => {
    const token = peek();
    ahead = null;
    return token;
  };
  return { peek, take };
}
