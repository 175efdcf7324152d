import type { Factor, SessionFields } from './factor.ts';
import { factors, type FactorLists, type SessionFactors } from './registry.ts';

/** A factor that a campaign varies, and its values as the names of arms have them. */
export interface DeclaredFactor {
  readonly factor: Factor;
  readonly field: string;
  readonly values: readonly string[];
}

/** What the arms of a campaign are made of, in the order in which their names have it. */
export function factorsOf(campaign: FactorLists): DeclaredFactor[] {
  const lists = campaign as Readonly<Record<string, readonly unknown[] | undefined>>;
  const declared = factors.filter(({ field }) => lists[field] !== undefined);
  return declared
    .filter(({ field }) => !declared.some(({ insteadOf }) => insteadOf === field))
    .map((factor) => ({
      factor,
      field: factor.field,
      values: lists[factor.field]!.map((item) => factor.values.nameOf(item)),
    }));
}

/** An arm's name in `design.arm`. */
export const armName = (values: readonly string[]): string => values.join('/');

/** Every choice of one value from each list, the last list innermost. */
export const combinations = (lists: readonly (readonly string[])[]): string[][] =>
  lists.reduce<string[][]>((rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])), [[]]);

/** What the arms of a campaign depend on. Without `profiles`: sessions have an emulated link. */
type Varied = FactorLists & { readonly profiles?: readonly unknown[] };

/** The values of every arm, in the order of `factorsOf`. */
export function armsOf(campaign: Varied): string[][] {
  const declared = factorsOf(campaign);
  const hasLink = campaign.profiles?.length !== 0;
  return combinations(declared.map(({ values }) => values)).filter((parts) => {
    const arm = Object.fromEntries(declared.map(({ field }, place) => [field, parts[place]!]));
    return declared.every(
      ({ factor: { impossible }, values }, place) =>
        impossible === undefined || impossible.isPossible(parts[place]!, arm, { names: values, hasLink }),
    );
  });
}

/** How many arms each pair has. */
export const armCount = (campaign: Varied): number => armsOf(campaign).length;

/** The part of its arm's name that a session has of a factor; undefined: none. */
export function partOf(factor: Factor, session: SessionFactors): string | undefined {
  if (factor.partOf) return factor.partOf(session as SessionFields);
  const value = valueIn(factor, session);
  return value === undefined ? undefined : factor.values.format(value);
}

/** What a session has of a factor, in the field of that factor; undefined: nothing. */
export const valueIn = ({ key }: Factor, session: SessionFactors): unknown =>
  key === null ? undefined : (session as SessionFields)[key];

/** The name of the arm that a session plays, without an A/A label. */
export const armOf = (session: SessionFactors): string =>
  armName(factors.flatMap((factor) => partOf(factor, session) ?? []));

/** The A/A label of a session, `A/A` for an A/A session; empty where its arm has no other name than `armOf`. */
export const labelOf = (session: SessionFactors & { readonly design: { readonly arm: string } }): string =>
  session.design.arm.slice(armOf(session).length + 1);

/**
 * The name of an A/A session's arm: of the second session that an arm plays in a pair (`aaSessions`). Labels and ids have no
 * capital letters, so no arm of a comparison has such a name.
 */
export const aaArmName = (arm: string): string => `${arm}${AA}`;

const AA = '/A/A';

export const isAaSession = ({ design }: { readonly design: { readonly arm: string } }): boolean =>
  design.arm.endsWith(AA);

/** The arm that an A/A session plays again. */
export const armOfAa = (aaArm: string): string => aaArm.slice(0, -AA.length);

/** How many sessions each pair has. */
export const sessionsInPair = (campaign: Varied & { readonly aaSessions?: boolean }): number =>
  armCount(campaign) + (campaign.aaSessions === true ? 1 : 0);

/**
 * What the sessions of a pair have in common that are compared with each other: all factors but the compared one. An A/A
 * session has that of the session that it plays again. Only for comparison: it is in no file.
 */
export const commonOf = ({ compare }: { readonly compare: string }, session: SessionFactors): string =>
  armName(factors.filter(({ field }) => field !== compare).map((factor) => partOf(factor, session) ?? ''));

/** The title of a session: what it plays, by all of its factors. */
export function formatTitle(
  session: SessionFactors & { readonly design: { readonly arm: string } | null },
  known: Parameters<Factor['title']>[1],
): string {
  const { design } = session;
  const label = design === null ? '' : labelOf({ ...session, design });
  return factors
    .map((factor) => {
      const value = factor.key === null ? label || undefined : valueIn(factor, session);
      return value === undefined ? '' : factor.title(value, known);
    })
    .join('');
}
