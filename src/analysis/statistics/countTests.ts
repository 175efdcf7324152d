import { normalTail } from './distributions.ts';

/** How often something happened in a group, and how often it did not. */
export interface GroupCounts {
  readonly hits: number;
  readonly others: number;
}

export interface CountTest {
  /** Two-sided. */
  readonly p: number;
  readonly method: 'exact' | 'chi-square';
}

/** Tables that are enumerated at most: some 50 ms. */
const MAX_TABLES = 500_000;

/**
 * Whether the share of hits differs between groups: Fisher's exact test, for more than two groups as Freeman and Halton
 * (Biometrika 38, 1951) extend it. It is the probability, with all sums fixed, of a table that is no more probable than this one.
 * Beyond `MAX_TABLES` tables Pearson's chi-square test, which is as good there. null where the sums leave nothing to differ:
 * fewer than two groups, or hits in none or in all.
 */
export function sharesTest(groups: readonly GroupCounts[]): CountTest | null {
  const counted = groups.filter(({ hits, others }) => hits + others > 0);
  const hits = sum(counted.map((group) => group.hits));
  const others = sum(counted.map((group) => group.others));
  if (counted.length < 2 || hits === 0 || others === 0) return null;
  const tables = counted
    .slice(1)
    .reduce((product, group) => product * (Math.min(hits, group.hits + group.others) + 1), 1);
  return tables <= MAX_TABLES
    ? { p: exactP(counted, hits), method: 'exact' }
    : { p: chiSquareP(counted, hits / (hits + others)), method: 'chi-square' };
}

/** Two tables of one probability may differ in their last digits. */
const ALIKE = 1 + 1e-7;

function exactP(groups: readonly GroupCounts[], hits: number): number {
  const sizes = groups.map((group) => group.hits + group.others);
  const logFactorial = logFactorials(sum(sizes));
  const logChoices = (size: number, chosen: number): number =>
    logFactorial[size]! - logFactorial[chosen]! - logFactorial[size - chosen]!;
  const all = logChoices(sum(sizes), hits);
  const observed = sum(groups.map((group, at) => logChoices(sizes[at]!, group.hits))) - all;
  const limit = Math.exp(observed) * ALIKE;
  const tail = (at: number, left: number, log: number): number => {
    const size = sizes[at]!;
    if (at === sizes.length - 1) {
      const probability = Math.exp(log + logChoices(size, left) - all);
      return probability <= limit ? probability : 0;
    }
    const after = sum(sizes.slice(at + 1));
    let total = 0;
    for (let chosen = Math.max(0, left - after); chosen <= Math.min(size, left); chosen++)
      total += tail(at + 1, left - chosen, log + logChoices(size, chosen));
    return total;
  };
  return Math.min(1, tail(0, hits, 0));
}

function logFactorials(max: number): number[] {
  const logs = [0];
  for (let n = 1; n <= max; n++) logs.push(logs[n - 1]! + Math.log(n));
  return logs;
}

function chiSquareP(groups: readonly GroupCounts[], share: number): number {
  const statistic = sum(
    groups.map(({ hits, others }) => {
      const expected = (hits + others) * share;
      return (hits - expected) ** 2 / (expected * (1 - share));
    }),
  );
  return chiSquareTail(statistic, groups.length - 1);
}

/** P(χ² > x) for whole degrees of freedom, by the recurrence from ν to ν + 2 (Abramowitz and Stegun 26.4.8). */
export function chiSquareTail(x: number, degrees: number): number {
  const isOdd = degrees % 2 === 1;
  let tail = isOdd ? 2 * normalTail(Math.sqrt(x)) : Math.exp(-x / 2);
  // (x/2)^(ν/2) e^(−x/2) / Γ(ν/2 + 1) for ν = 1 or 2.
  let term = isOdd ? Math.sqrt((2 * x) / Math.PI) * Math.exp(-x / 2) : (x / 2) * Math.exp(-x / 2);
  for (let done = isOdd ? 1 : 2; done < degrees; done += 2) {
    tail += term;
    term *= x / (done + 2);
  }
  return tail;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
