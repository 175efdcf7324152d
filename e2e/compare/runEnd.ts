import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PLAN_VARIABLE } from './plan.ts';

/** What Playwright's exit code does not tell of a run. */
export interface RunEnd {
  /** Sessions that have a log and never showed a frame. */
  readonly notShown: number;
}

const fileBeside = (planFile: string): string => path.join(path.dirname(planFile), 'end.json');

/** For the process that has started the run. Never throws: a run that ends keeps its exit code. */
export function writeRunEnd(end: RunEnd): void {
  try {
    writeFileSync(fileBeside(process.env[PLAN_VARIABLE]!), JSON.stringify(end));
  } catch {
    // The folder is gone, or there is no space left.
  }
}

/** Of a run that was killed nothing is known. */
export function readRunEnd(planFile: string): RunEnd {
  try {
    return JSON.parse(readFileSync(fileBeside(planFile), 'utf8')) as RunEnd;
  } catch {
    return { notShown: 0 };
  }
}
