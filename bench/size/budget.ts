import { failed, ok, type Result } from '../../src/shared/result.ts';
import { KINDS, OWN_CODE, type FileSize, type Kind } from './measureSizes.ts';

/** `size-budget.json`: brotli bytes that a change must edit to grow. */
interface Budget {
  /** Scripts, workers and styles together: what must not be passed. */
  readonly ownCode: number;
  /** What they should come down to. Missing it is a result, not a failure. */
  readonly ownCodeGoal: number;
  readonly kinds: Readonly<Record<Kind, number>>;
}

export interface BudgetLine {
  readonly id: Kind | 'ownCode';
  readonly brotliBytes: number;
  readonly budgetBytes: number;
  /** null where there is none beside the budget. */
  readonly goalBytes: number | null;
}

/** Reads the budget file; a fault is one sentence that names the place. */
export function readBudget(text: string): Result<Budget> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed('size-budget.json is not JSON.');
  }
  const { ownCode, ownCodeGoal, kinds } = (value ?? {}) as Partial<
    Record<'ownCode' | 'ownCodeGoal', unknown> & { kinds: Record<string, unknown> }
  >;
  if (!isBytes(ownCode)) return failed('size-budget.json: /ownCode should be a number of bytes.');
  if (!isBytes(ownCodeGoal)) return failed('size-budget.json: /ownCodeGoal should be a number of bytes.');
  const bad = KINDS.find((kind) => !isBytes(kinds?.[kind]));
  if (bad) return failed(`size-budget.json: /kinds/${bad} should be a number of bytes.`);
  return ok({ ownCode, ownCodeGoal, kinds: kinds as Budget['kinds'] });
}

/** What was measured beside what is allowed, the sum of our own code first. */
export function holdAgainst(budget: Budget, sizes: readonly FileSize[]): BudgetLine[] {
  const sum = (kinds: readonly Kind[]): number =>
    sizes
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((total, { brotliBytes }) => total + brotliBytes, 0);
  return [
    {
      id: 'ownCode',
      brotliBytes: sum(OWN_CODE),
      budgetBytes: budget.ownCode,
      goalBytes: budget.ownCodeGoal,
    },
    ...KINDS.map((kind) => ({
      id: kind,
      brotliBytes: sum([kind]),
      budgetBytes: budget.kinds[kind],
      goalBytes: null,
    })),
  ];
}

/** One sentence per line over its budget. */
export function overruns(lines: readonly BudgetLine[]): string[] {
  return lines
    .filter(({ brotliBytes, budgetBytes }) => brotliBytes > budgetBytes)
    .map(
      ({ id, brotliBytes, budgetBytes }) =>
        `${id} is ${brotliBytes} bytes and its budget in size-budget.json is ${budgetBytes}: make it smaller, or raise the budget and say why.`,
    );
}

const isBytes = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
