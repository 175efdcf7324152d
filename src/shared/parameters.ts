import type { Entry } from './registry.ts';
import { failed, ok, type Result } from './result.ts';
import { unknownId } from './unknownId.ts';

/** Holds parameters by name, with the unit in the name. */
export type Parameters = Readonly<Record<string, number | string | boolean>>;

/** An entry of a registry whose parameters a text can set. */
export interface Tunable<Self> extends Entry {
  readonly parameters: Parameters;
  /** Returns the same entry with other values of some parameters. Throws an Error with one sentence if it cannot. */
  readonly tuned?: (changes: Parameters) => Self;
}

/** What a sentence calls an entry: "The rule bola has no parameter …". */
type Kind = 'rule' | 'policy' | 'preset';

/**
 * Returns `defaults` with `changes`.
 *
 * @throws Error with one sentence on an unknown name or a value of another type
 */
export function changedParameters<P extends Parameters>(
  { kind, id }: { readonly kind: Kind; readonly id: string },
  defaults: P,
  changes: Parameters,
): P {
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(defaults, name))
      throw new Error(
        `The ${kind} ${id} has no parameter "${name}"; it has ${Object.keys(defaults).join(', ')}.`,
      );
    const before = defaults[name];
    if (typeof value !== typeof before || (typeof value === 'number' && !Number.isFinite(value)))
      throw new Error(
        `The parameter ${name} of ${id} is a ${typeof before}, not ${typeof value === 'string' ? JSON.stringify(value) : String(value)}.`,
      );
  }
  return { ...defaults, ...changes };
}

/** Throws one sentence about the first of the named parameters that is not a number above 0. */
export function mustBePositive(id: string, parameters: Parameters, names: readonly string[]): void {
  for (const name of names) {
    const value = parameters[name];
    if (!(typeof value === 'number' && value > 0))
      throw new Error(`The parameter ${name} of ${id} must be above 0, not ${String(value)}.`);
  }
}

/** Throws one sentence unless the named parameter is a number from `from` to `to`. */
export function mustBeWithin(
  id: string,
  parameters: Parameters,
  { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
): void {
  const value = parameters[name];
  if (!(typeof value === 'number' && value >= from && value <= to))
    throw new Error(`The parameter ${name} of ${id} must be from ${from} to ${to}, not ${String(value)}.`);
}

/** Throws one sentence unless the named parameter is a whole number from 1. */
export function mustBeCount(id: string, parameters: Parameters, name: string): void {
  const value = parameters[name];
  if (!(typeof value === 'number' && Number.isInteger(value) && value >= 1))
    throw new Error(`The parameter ${name} of ${id} must be a whole number from 1, not ${String(value)}.`);
}

/** Splits a text, `id:name=value:…`, at its colons. */
export function parseEntryText(text: string): { readonly id: string; readonly settings: readonly string[] } {
  const [id = '', ...settings] = text.split(':');
  return { id, settings };
}

/**
 * The entry that a text asks for, as on the command line and in a link: an id, and any number of `:name=value`
 * (`fixed:level=4`, `bola:gp=5:bufferMaxMs=25000`). The error is one sentence that names what is known.
 */
export function entryOf<E extends Tunable<E>>(kind: Kind, text: string, entries: readonly E[]): Result<E> {
  const { id, settings } = parseEntryText(text);
  const entry = entries.find((each) => each.id === id);
  if (!entry)
    return failed(
      unknownId(
        kind,
        id,
        entries.map((each) => each.id),
      ),
    );
  if (settings.length === 0) return ok(entry);
  if (!entry.tuned) return failed(`The ${kind} ${id} has no parameters to set.`);
  const changes = new Map<string, Parameters[string]>();
  for (const setting of settings) {
    const at = setting.indexOf('=');
    if (at < 1) return failed(`"${setting}" in "${text}" is no setting: write name=value.`);
    const name = setting.slice(0, at);
    if (changes.has(name)) return failed(`"${text}" sets ${name} twice.`);
    changes.set(name, valueLike(entry.parameters[name], setting.slice(at + 1)));
  }
  try {
    return ok(entry.tuned(Object.fromEntries(changes)));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** The words of a setting as the type that the parameter has now; a number where it has none and they are one. */
function valueLike(now: Parameters[string] | undefined, words: string): Parameters[string] {
  const isNumber = typeof now === 'number' || now === undefined;
  if (isNumber && words.trim() !== '' && Number.isFinite(Number(words))) return Number(words);
  if (typeof now === 'boolean' && (words === 'true' || words === 'false')) return words === 'true';
  return words;
}
