import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { beside } from './beside.ts';
import { browser } from './browser.ts';
import { controller } from './controller.ts';
import { discovery } from './discovery.ts';
import { ends } from './ends.ts';
import type { Factor, OfTransfers } from './factor.ts';
import { hosts } from './hosts.ts';
import { label } from './label.ts';
import { page } from './page.ts';
import { player } from './player.ts';
import { priority } from './priority.ts';
import { racing } from './racing.ts';
import { rule } from './rule.ts';
import { split } from './split.ts';
import { steering } from './steering.ts';
import { transfer } from './transfer.ts';
import { transport } from './transport.ts';

/**
 * Every factor, in the order of the parts of arm names. Session ids, the order of sessions in a plan and the hash of a plan
 * depend on this order: a new factor stands before the A/A label, which is last.
 */
const all = [
  rule,
  transfer,
  transport,
  controller,
  steering,
  beside,
  split,
  page,
  browser,
  ends,
  hosts,
  racing,
  priority,
  discovery,
  player,
  label,
] as const;

type Each = (typeof all)[number];

export const factors: readonly Factor[] = all;

/** The factor of a field, or of a value of `compare`. @throws Error where there is none */
export function factorOf(field: string): Factor {
  const found = factors.find((each) => each.field === field);
  if (!found) throw new Error(`no factor has the field "${field}"`);
  return found;
}

/** The lists of all factors in a campaign file, as fields of its schema. */
export const factorLists = Object.fromEntries(
  factors.map(({ field, schema }) => [field, schema]),
) as unknown as { [Of in Each as Of['field']]: Of['schema'] };

/** The lists that a transfer file has, too, as fields of its schema. */
export const transferLists = Object.fromEntries(
  factors.filter(isOfTransfers).map(({ field, schema }) => [field, schema]),
) as unknown as { [Of in Extract<Each, OfTransfers> as Of['field']]: Of['schema'] };

function isOfTransfers(factor: Factor): factor is Factor & OfTransfers {
  return 'isOfTransfers' in factor;
}

/** What a campaign file may vary. */
export type FactorLists = Static<Type.TObject<typeof factorLists>>;

/** The values of `compare`. */
const literals = <Field extends string>(fields: readonly Field[]): Type.TUnion<Type.TLiteral<Field>[]> =>
  Type.Union(fields.map((field) => Type.Literal(field)));

export const Compared = literals(all.map(({ field }) => field));

/** The values of `compare` in a transfer file. */
export const ComparedTransfers = literals(
  factors.filter((each) => each === transfer || isOfTransfers(each)).map(({ field }) => field) as (
    Extract<Each, OfTransfers>['field'] | typeof transfer.field
  )[],
);

/** What planned sessions have of the factors, each in a field of its own. */
export type SessionFactors = {
  readonly [Of in Each as Extract<Of['key'], string>]?: ReturnType<Of['values']['read']>;
} & {
  /** In a session of a transfer the transfer, which then also stands in `transfer`. */
  readonly rule: string;
  /** The entry of the campaign's rules, where that names several in turn. */
  readonly ruleEntry?: string;
  readonly transport: ReturnType<(typeof transport)['values']['read']>;
};
