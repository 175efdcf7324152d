import { failed, ok, type Result } from '../../src/result.ts';
import { KINDS, OWN_CODE, type FileSize, type Kind } from './measureSizes.ts';

/** `size-budget.json`: brotli bytes that a change must edit to grow. */
export interface Budget {
  /** Scripts, workers and styles together. */
  readonly ownCode: number;
  readonly kinds: Readonly<Record<Kind, number>>;
}

export interface BudgetLine {
  readonly id: Kind | 'ownCode';
  readonly brotliBytes: number;
  readonly budgetBytes: number;
}

/** Reads the budget file; a fault is one sentence that names the place. */
export function readBudget(text: string): Result<Budget> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed('size-budget.json is not JSON.');
  }
  const { ownCode, kinds } = (value ?? {}) as { ownCode?: unknown; kinds?: Record<string, unknown> };
  if (!isBytes(ownCode)) return failed('size-budget.json: /ownCode should be a number of bytes.');
  const bad = KINDS.find((kind) => !isBytes(kinds?.[kind]));
  if (bad) return failed(`size-budget.json: /kinds/${bad} should be a number of bytes.`);
  return ok({ ownCode, kinds: kinds as Budget['kinds'] });
}

/** What was measured beside what is allowed, the sum of our own code first. */
export function holdAgainst(budget: Budget, sizes: readonly FileSize[]): BudgetLine[] {
  const sum = (kinds: readonly Kind[]): number =>
    sizes
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((total, { brotliBytes }) => total + brotliBytes, 0);
  return [
    { id: 'ownCode', brotliBytes: sum(OWN_CODE), budgetBytes: budget.ownCode },
    ...KINDS.map((kind) => ({ id: kind, brotliBytes: sum([kind]), budgetBytes: budget.kinds[kind] })),
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
