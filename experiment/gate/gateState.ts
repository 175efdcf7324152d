import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { GateLook } from '../verdict/gateVerdict.ts';
import { writeAtomically } from '../../node/files.ts';
import { isObject } from '../../src/shared/jsonObject.ts';

/** What a gate has looked at so far: with it and the logs, its verdict is computed again. */
export interface GateState {
  readonly schema: typeof STATE_SCHEMA;
  readonly looks: readonly GateLook[];
  /** Time spent, over all its runs. */
  readonly elapsedMs: number;
  /** Whether it has a verdict: then it is not continued. */
  readonly isOver: boolean;
}

export const STATE_SCHEMA = 'pitwall-gate-state/1';

const BEGUN: GateState = { schema: STATE_SCHEMA, looks: [], elapsedMs: 0, isOver: false };

const fileOf = (outDir: string): string => path.join(outDir, 'gate.json');

/** The state of a folder; that of a gate that has not begun where there is none. @throws Error in one sentence */
export function readState(outDir: string): GateState {
  const file = fileOf(outDir);
  if (!existsSync(file)) return BEGUN;
  try {
    const state: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isObject(state) && state['schema'] === STATE_SCHEMA) return state as unknown as GateState;
  } catch {
    // As one of another version.
  }
  throw new Error(`${file}: It is not the state of a gate of this version. Name another folder with --out.`);
}

export const keepState = (outDir: string, state: GateState): void =>
  writeAtomically(fileOf(outDir), `${JSON.stringify(state, null, 1)}\n`);
