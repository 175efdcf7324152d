import { existsSync } from 'node:fs';
import path from 'node:path';
import { resultsFile, runName } from '../campaignFiles.ts';
import type { PaperPart, Quantity } from '../paperCampaign.ts';
import { readKnownSessions } from '../../../experiment/report/read/readKnownSessions.ts';
import type { KnownSession } from '../../../src/analysis/prediction.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { pick } from '../../../src/shared/registry.ts';

/**
 * What is known of a table or figure:
 * - `as in the paper`: played with its rules, transports, networks and counts, or computed as there.
 * - `stand-in`: played, and something of that differs.
 * - `empty`: played, and what it shows did not vary or did not occur in the committed sessions.
 * - `built`: a command plays it or reads it from logs, and no results are committed.
 * - `not built`: it could be played, and something is missing.
 * - `not possible`: it is about people, places or a drawing.
 */
export const STATES = ['as in the paper', 'stand-in', 'empty', 'built', 'not built', 'not possible'] as const;
export type State = (typeof STATES)[number];

interface StatedPart {
  readonly state: State;
  /** Says why, in a few words; empty for `as in the paper`. */
  readonly why: string;
}

/** The finished sessions of committed results by the id of a campaign or the name of a file. What is absent has no results. */
export type PartTables = ReadonlyMap<string, readonly KnownSession[]>;

/** Reads the committed tables that parts name. @throws Error in one sentence */
export async function readPartTables(root: string, parts: readonly PaperPart[]): Promise<PartTables> {
  const named = new Map<string, string[]>();
  for (const { by } of parts) {
    if ('campaigns' in by)
      for (const id of by.campaigns)
        named.set(
          id,
          [false, true].map((isFull) => resultsFile(root, runName(id, isFull), 'csv')),
        );
    else if ('command' in by && by.results !== undefined)
      named.set(by.results, [path.join(root, by.results)]);
  }
  const tables = new Map<string, readonly KnownSession[]>();
  for (const [name, files] of named) {
    const there = files.filter((file) => existsSync(file));
    const tabled = there.filter((file) => file.endsWith('.csv'));
    if (there.length > 0) tables.set(name, (await readKnownSessions(tabled)).sessions);
  }
  return tables;
}

/** Finds the state of a part in the committed results. */
export function stateOf(part: PaperPart, tables: PartTables): StatedPart {
  const { by, differs = '' } = part;
  if ('reason' in by) return { state: 'not possible', why: by.reason };
  if ('missing' in by) return { state: 'not built', why: by.missing };
  const names = 'campaigns' in by ? by.campaigns : [by.results ?? ''];
  const played = names.flatMap((name) => tables.get(name) ?? []);
  const count = names.filter((name) => tables.has(name)).length;
  if (count === 0) return { state: 'built', why: differs };
  const some = count < names.length ? [`${count} of ${names.length} campaigns played.`] : [];
  return playedState(part, { played, some });
}

/** Finds the state of a part with results, of all or of `some` of its campaigns. */
function playedState(
  { differs, quantity }: PaperPart,
  { played, some }: { played: readonly KnownSession[]; some: readonly string[] },
): StatedPart {
  const spread = quantity === undefined ? null : spreadOf(quantity, played);
  if (spread?.isEmpty) return { state: 'empty', why: [...some, spread.sentence].join(' ') };
  const why = differs === undefined ? some : [...some, differs];
  if (why.length === 0) return { state: 'as in the paper', why: '' };
  return { state: 'stand-in', why: [...why, ...(spread?.isRare ? [spread.sentence] : [])].join(' ') };
}

/** How much of a quantity sessions have: one value in all of them is none. */
export interface Spread {
  readonly isEmpty: boolean;
  /** Nine of ten sessions or more have one value. */
  readonly isRare: boolean;
  readonly sentence: string;
}

const RARE_SHARE = 0.9;

/** Returns how much a quantity varies over sessions. */
export function spreadOf({ metric: id, transport }: Quantity, sessions: readonly KnownSession[]): Spread {
  const { label, unit } = pick<Metric>(metrics, id);
  const of = transport === undefined ? '' : ` of ${transport}`;
  const values = sessions
    .filter(({ arm }) => transport === undefined || arm.split('/').includes(transport))
    .flatMap(({ values: known }) => known[id] ?? []);
  const [value, count] = commonest(values);
  if (value === null) return { isEmpty: true, isRare: true, sentence: `No session${of} has a ${label}.` };
  const share = count === values.length ? `all ${count}` : `${count} of ${values.length}`;
  const sentence = `${label.charAt(0).toUpperCase()}${label.slice(1)} is ${value}${unit ? ` ${unit}` : ''} in ${share} sessions${of}.`;
  return { isEmpty: count === values.length, isRare: count >= RARE_SHARE * values.length, sentence };
}

function commonest(values: readonly number[]): [value: number | null, count: number] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce<[number | null, number]>(
    (more, each) => (each[1] > more[1] ? each : more),
    [null, 0],
  );
}

/** Counts parts by state: `2 as in the paper, 9 stand-in, …`. */
export const formatStates = (parts: readonly PaperPart[], tables: PartTables): string => {
  const states = parts.map((part) => stateOf(part, tables).state);
  return STATES.map((state) => `${states.filter((each) => each === state).length} ${state}`).join(', ');
};

/** Formats a state and why: `stand-in: three of five rules`. */
export const formatState = ({ state, why }: StatedPart): string => (why === '' ? state : `${state}: ${why}`);
