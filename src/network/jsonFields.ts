import type { PlacedJson } from './placedJson.ts';
import { TextFault } from './textFault.ts';

/** The items of a list. @throws TextFault */
export function listOf(json: PlacedJson | undefined, what: string): readonly PlacedJson[] {
  if (json?.kind === 'list') return json.items;
  throw new TextFault(`${what} is to be a list.`, json?.place ?? null);
}

/** The number ≥ 0 in a field of an object. @throws TextFault when the field is missing or something else. */
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
    throw new TextFault(`The field ${name} is to be a number.`, field.place);
  if (field.value < 0)
    throw new TextFault(`The field ${name} is ${field.value}; it cannot be negative.`, field.place);
  return field.value;
}
