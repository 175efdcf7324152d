import { cpus } from 'node:os';
import path from 'node:path';
import { print } from '../../node/print.ts';
import { aaSessionsCsv } from './aaSessionsCsv.ts';
import { writeBuilds } from './builds.ts';
import { changesIn, selectable, selectChanges, type Change } from './changes.ts';
import {
  formatHistory,
  formatHistoryMarkdown,
  historyFigures,
  summarize,
  type HistoryRow,
} from './historyTable.ts';
import {
  askedOf,
  keepPlayed,
  playedOf,
  readPlayed,
  whyNoResult,
  type AskedGate,
  type PlayedChange,
} from './playedChange.ts';
import type { Bench, BenchOptions } from '../bench.ts';
import { figureTable, writeFigures } from '../figure.ts';
import { runGate, type GateEnd } from '../../experiment/gate/runGate.ts';
import { writeGate } from '../../experiment/gate/writeGate.ts';
import { usualGate, type Gate } from '../../experiment/design/gateFile.ts';
import { readGate } from '../../experiment/design/readGate.ts';
import { known } from '../../experiment/resolve/campaignFiles.ts';
import { EXIT, exitCodeOf } from '../../node/exitCodes.ts';
import { makeFolder, readText, writeAtomically } from '../../node/files.ts';
import { valueOf } from '../../src/shared/result.ts';

const AA_GATES = 10;

/** Whether gates over known changes of dash.js find regressions, and how often they call a regression what is none. */
export const gateHistoryBench: Bench = {
  id: 'gate-history',
  label:
    'gates over releases of dash.js, over seeded faults and over equal builds: which regressions they find, and false alarms (hours; continued from its folder)',
  sections: selectable,
  options: ['out', 'file', 'minutes', 'workers', 'aa'],
  async run({ only, aa = AA_GATES, quick = false, json, ...options }) {
    const history = await historyOf(options);
    await writeBuilds(options.root, history.builds);
    const all = changesIn(history.builds, aa);
    const changes = selectChanges(all, only);
    if (quick) return listChanges(changes);
    const failures = new Map<string, string>();
    // A folder with results of other gates is refused before hours of play.
    rowsOf(all, history, failures);
    for (const change of changes) {
      const result = await playOnce(change, history);
      if (typeof result === 'string') failures.set(change.id, result);
      else if ('code' in result) return result.code;
      writeTables(rowsOf(all, history, failures), history);
    }
    const rows = rowsOf(all, history, failures);
    await writeAaSessions(rows, history);
    print(`\n${formatHistory(rows)}\n\n${summarize(rows).join('\n')}`);
    const figures = historyFigures(rows, history.gate.alpha);
    if (figures.length > 0) print(`\n${figureTable(figures)}`);
    if (json) writeFigures(json, figures, { rows });
    return failures.size > 0 ? EXIT.failed : EXIT.done;
  },
};

/** What all gates of a run have in common. */
interface History {
  readonly root: string;
  /** Results, gate files and the folder of each gate. */
  readonly folder: string;
  readonly builds: string;
  readonly gate: Gate;
  /** The gate file that was given, which paths in the gate are relative to. */
  readonly file?: string;
  readonly workers: number;
}

type Given = Pick<BenchOptions, 'root' | 'out' | 'file' | 'minutes' | 'workers'>;

/** @throws Error in one sentence about the gate file or the folder */
async function historyOf({ root, out, file, minutes, workers = 1 }: Given): Promise<History> {
  const folder = out ?? path.join('runs', 'gate-history');
  makeFolder(folder);
  const gate =
    file === undefined ? usualGate : valueOf(readGate(await readText(file), { name: file, known }));
  return {
    root,
    folder,
    workers,
    ...(file !== undefined && { file }),
    builds: path.join(folder, 'builds'),
    gate: minutes === undefined ? gate : { ...gate, minutes },
  };
}

/** For `--quick`: all builds have been written, so every text stands where it is replaced. */
function listChanges(changes: readonly Change[]): number {
  for (const { id, label } of changes) print(`${id}: ${label}`);
  print('\nThe builds are written; no gate was played (--quick).');
  return EXIT.done;
}

const askedBy = (change: Change, { gate, workers }: Pick<History, 'gate' | 'workers'>): AskedGate =>
  askedOf(change, { gate: { ...gate, seed: change.seed ?? gate.seed }, workers });

/** Plays a gate that has no result yet. Resolves to its result, to why it could not be played, or to how the run was ended. */
async function playOnce(change: Change, history: History): Promise<PlayedChange | GateEnd | string> {
  const { folder, root, workers, file } = history;
  const asked = askedBy(change, history);
  const before = readPlayed(folder, change.id, asked);
  if (before !== null) {
    print(`${change.id}: played before, ${before.verdict}`);
    return before;
  }
  print(`\n${change.id}: ${change.label}`);
  writeAtomically(path.join(folder, `${change.id}.gate.json`), `${JSON.stringify(asked.gate, null, 1)}\n`);
  try {
    const out = sessionsOf(folder, change);
    const outcome = await runGate({
      base: change.base,
      next: change.next,
      gate: asked.gate,
      out,
      workers,
      root,
      ...(file !== undefined && { file }),
    });
    if ('code' in outcome)
      return ENDING.includes(outcome.code) ? outcome : `The run ended with exit code ${outcome.code}.`;
    await writeGate(outcome, { root });
    const played = playedOf(change.id, asked, outcome);
    const why = whyNoResult(played, out);
    if (why !== null) throw new Error(why);
    keepPlayed(folder, played);
    print(`${change.id}: ${played.verdict}`);
    return played;
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('\n');
    print(`${change.id}: not played: ${sentence}`);
    const code = exitCodeOf(error);
    if (ENDING.includes(code)) return { code };
    return sentence;
  }
}

/** After these no other gate can be played, or none should be. */
const ENDING: readonly number[] = [EXIT.interrupted, EXIT.folderInUse, EXIT.noSpace];

const sessionsOf = (folder: string, { id }: Pick<Change, 'id'>): string => path.join(folder, id);

/** Every change that has a result, from this run or an earlier one, or that could not be played now. */
function rowsOf(
  all: readonly Change[],
  history: History,
  failures: ReadonlyMap<string, string>,
): readonly HistoryRow[] {
  return all.flatMap((change): HistoryRow[] => {
    const result = failures.get(change.id) ?? readPlayed(history.folder, change.id, askedBy(change, history));
    return result === null ? [] : [{ change, result }];
  });
}

function writeTables(rows: readonly HistoryRow[], { folder, gate, workers }: History): void {
  const processors = cpus();
  const machine = { cpu: processors[0]?.model ?? null, cores: processors.length, node: process.version };
  const about = [
    `Each gate has a budget of ${gate.minutes} min, ${workers} ${workers === 1 ? 'pair' : 'pairs'} at once, on ${machine.cores} cores (${machine.cpu ?? 'unknown'}). "min" is the time that it took.`,
  ];
  writeAtomically(path.join(folder, 'gate-history.md'), formatHistoryMarkdown(rows, about));
  const results = rows.map(({ change, result }) => ({
    id: change.id,
    kind: change.kind,
    label: change.label,
    expected: change.expected,
    shouldShowIn: change.metric,
    result,
  }));
  writeAtomically(
    path.join(folder, 'gate-history.json'),
    `${JSON.stringify({ at: new Date().toISOString(), machine, summary: summarize(rows), results }, null, 1)}\n`,
  );
}

/** `aa-pairs.csv`: what `bench gate-power` draws from. */
async function writeAaSessions(rows: readonly HistoryRow[], { folder }: History): Promise<void> {
  const folders = rows
    .filter(({ change, result }) => change.kind === 'aa' && typeof result !== 'string')
    .map(({ change }) => sessionsOf(folder, change));
  if (folders.length === 0) return;
  const file = path.join(folder, 'aa-pairs.csv');
  writeAtomically(file, await aaSessionsCsv(folders));
  print(`\nsessions of the A/A gates: ${file}`);
}
