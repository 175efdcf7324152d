import { armName, factorsOf, labelOf, partOf, valueIn } from './arms.ts';
import type { Factor } from './factor.ts';
import { factors, type FactorLists, type SessionFactors } from './registry.ts';

/** A session as a table has it: an A/A label stands in the name of its arm. */
type Labelled = SessionFactors & { readonly design: { readonly arm: string } };

/** A cell of a table. */
type Cell = string | number | null;

/** What a table of sessions shows of a factor: what the session has of it; null: nothing. */
export const cellOf = (factor: Factor, session: Labelled): Cell =>
  factor.key === null ? labelOf(session) || null : ((valueIn(factor, session) as Cell | undefined) ?? null);

/** The factors that have a column in the report of a campaign: those that it varies, and those that every report has. */
export function reportFactors(campaign: FactorLists & { readonly aaSessions?: boolean }): Factor[] {
  const declared = new Set(factorsOf(campaign).map(({ factor }) => factor));
  return factors.filter((factor) => declared.has(factor) || factor.column.isWithoutList?.(campaign) === true);
}

/** The factors with a column of their own, in the order of the parts of arm names. */
const withColumn = factors.filter(
  ({ column }, place) => factors.findIndex((each) => each.column.report === column.report) === place,
);

/** The names of all columns of a report that name an arm, without that of its A/A label. */
export const armColumns: readonly string[] = withColumn
  .filter(({ key }) => key !== null)
  .map(({ column }) => column.report);

/** The name of the arm that a row of a report's table of sessions is about. `cells` by the names of columns. */
export const armOfRow = (cells: ReadonlyMap<string, string>): string =>
  armName(
    withColumn.flatMap(({ column, values }) => {
      const cell = cells.get(column.report) ?? '';
      return cell === '' ? [] : values.format(values.readCell(cell));
    }),
  );

/**
 * What a table on the command line shows of a factor for several sessions of one arm: what all of them have, else the part of
 * the arm's name. Networks may have the rules of an entry in turn.
 */
export function sharedCell(factor: Factor, sessions: readonly [Labelled, ...Labelled[]]): string {
  const cells = new Set(sessions.map((each) => String(cellOf(factor, each) ?? '')));
  const [first] = cells;
  return cells.size === 1 ? first! : (partOf(factor, sessions[0]) ?? '');
}
