import { readFileSync } from 'node:fs';
import path from 'node:path';
import { print } from '../../node/print.ts';
import { buildApp } from '../../setup/buildApp.mjs';
import type { Bench } from '../bench.ts';
import { verdictOf, type Figure, writeFigures } from '../figure.ts';
import { plainTable } from '../../node/textTable.ts';
import { holdAgainst, overruns, readBudget, type BudgetLine } from './budget.ts';
import { measureSizes, OWN_CODE, sizeOf, type FileSize } from './measureSizes.ts';

/** What a visitor downloads, against the budget. The only bench that can fail. */
export const sizeBench: Bench = {
  id: 'size',
  label: 'brotli bytes of the built page, by kind, against size-budget.json',
  async run({ root, json }) {
    const measured = await measureBuild(root);
    print(sizeTables(measured));
    if (json) writeFigures(json, sizeFigures(measured.lines));
    const faults = overruns(measured.lines);
    for (const fault of faults) process.stderr.write(`pitwall: ${fault}\n`);
    return faults.length > 0 ? 1 : 0;
  },
};

interface Measured {
  readonly sizes: readonly FileSize[];
  readonly lines: readonly BudgetLine[];
}

/** Builds the page where needed and holds it against the budget. */
export async function measureBuild(root: string): Promise<Measured> {
  await buildApp(root, print);
  const budget = readBudget(readFileSync(path.join(root, 'size-budget.json'), 'utf8'));
  if (!budget.ok) throw new Error(budget.error);
  const sizes = [...measureSizes(path.join(root, 'dist')), ...(await measurePackage(root))];
  return { sizes, lines: holdAgainst(budget.value, sizes) };
}

/** The scripts of `@pitwall/telemetry`, which are not in the page. */
async function measurePackage(root: string): Promise<FileSize[]> {
  // Loaded only here: it loads Vite.
  const { buildPackages, ...scripts } = await import('../../packages/build.mjs');
  const out = path.join(root, '.pitwall', 'packages');
  await buildPackages(root, { out, names: ['telemetry'], types: false });
  const folder = path.join(out, 'telemetry');
  return [
    sizeOf(folder, scripts.TELEMETRY_SCRIPT, 'telemetryPackage'),
    sizeOf(folder, scripts.ELEMENT_SCRIPT, 'elementPackage'),
    sizeOf(folder, scripts.HLSJS_SCRIPT, 'hlsjsPackage'),
    sizeOf(folder, scripts.SHAKA_SCRIPT, 'shakaPackage'),
    sizeOf(folder, scripts.TRIAL_SCRIPT, 'trialPackage'),
  ];
}

/** The sum of our own code has a goal of its own; the others are held against their budgets. */
export const sizeFigures = (lines: readonly BudgetLine[]): Figure[] =>
  lines.map(({ id, brotliBytes, budgetBytes, goalBytes }) => ({
    id: `size-${id}`,
    label: id === 'ownCode' ? `own code (${OWN_CODE.join(', ')})` : id,
    unit: 'B',
    value: brotliBytes,
    interval: null,
    goalMax: goalBytes ?? budgetBytes,
  }));

export function sizeTables({ sizes, lines }: Measured): string {
  const files = sizes.map(({ file, kind, sizeBytes, brotliBytes }) => [
    file,
    kind,
    formatBytes(sizeBytes),
    formatBytes(brotliBytes),
  ]);
  const kinds = lines.map(({ id, brotliBytes, budgetBytes, goalBytes }) => [
    id === 'ownCode' ? `own code (${OWN_CODE.join(' + ')})` : id,
    formatBytes(brotliBytes),
    `≤ ${formatBytes(budgetBytes)}`,
    brotliBytes <= budgetBytes ? 'within' : 'OVER',
    goalBytes === null ? '' : `≤ ${formatBytes(goalBytes)}`,
    verdictOf({ value: brotliBytes, goalMax: goalBytes }),
  ]);
  return [
    'Size of what a visitor downloads, brotli quality 11:',
    plainTable(['file', 'kind', 'as built', 'brotli'], files),
    '',
    plainTable(['', 'brotli', 'budget', '', 'goal', ''], kinds),
  ].join('\n');
}

const formatBytes = (bytes: number): string => bytes.toLocaleString('en-GB');
