import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepFailure, readFailures } from './failureFile.ts';
import type { CompareCell, ComparePlan } from './plan.ts';
import { isPlayed, playCell, resumePair } from './playCell.ts';
import type { Recording } from './recordSession.ts';
import { SessionFailure } from './sessionFailure.ts';
import { sessionFiles } from './sessionFiles.ts';
import { failures, type FailureId } from '../design/failure.ts';
import { exampleLog } from '../../src/telemetry/exampleLog.testing.ts';

const ARMS = ['h1', 'h2', 'h3'];
const cells: CompareCell[] = ARMS.map((id, order) => ({
  id,
  rule: 'bola',
  transport: 'h2',
  mpd: '/media/demo/manifest.mpd',
  link: null,
  design: { campaign: 'c', cell: id, pair: 'p', arm: `bola/${id}`, order, repeat: 0, seed: 1 },
}));
const START_MS = 1_790_000_000_000;

let logDir = '';
beforeEach(() => {
  logDir = mkdtempSync(path.join(tmpdir(), 'pitwall-pair-'));
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(logDir, { recursive: true, force: true });
});

const later = (): void => void vi.setSystemTime(Date.now() + 60_000);
/** A run that begins now. */
const run = (of: readonly CompareCell[] = cells): ComparePlan =>
  ({
    logDir,
    startedAtUnixMs: Date.now(),
    groups: [{ name: 'p', isPair: true, cells: of }],
  }) as unknown as ComparePlan;
const filesOf = (id: string) => sessionFiles(logDir, id);
const linesOf = (id: string): string[] =>
  readFailures(filesOf(id).failures).map(({ failure, message }) => `${failure}: ${message}`);
const finished = (): string[] => ARMS.filter((id) => existsSync(filesOf(id).log));

function writeLog({ id, design }: Pick<CompareCell, 'id' | 'design'>): void {
  const log = exampleLog();
  const clock = { ...log.clock, startedAtUnixMs: Date.now() };
  writeFileSync(filesOf(id).log, JSON.stringify({ ...log, id, design, clock }));
}

/** Plays a pair as the runner does, its arms in turn. `script` has what goes wrong: by arm, one for each of its tries. */
async function playPair(script: Record<string, (FailureId | null)[]>, of: readonly CompareCell[] = cells) {
  const plan = run(of);
  const tries: string[] = [];
  const play = ({ cell, isLastTry }: Recording): Promise<string> => {
    later();
    tries.push(isLastTry ? `${cell.id} last` : cell.id);
    const failure = script[cell.id]?.shift();
    if (failure) return Promise.reject(new SessionFailure(failure, new Error(`of ${cell.id}`)));
    writeLog(cell);
    return Promise.resolve(cell.id);
  };
  const ends: string[] = [];
  for (const cell of of) {
    await resumePair(plan, cell);
    if (await isPlayed(plan, cell)) ends.push('played before');
    else ends.push(await playCell(plan, cell, play).catch((error: Error) => `failed ${error.message}`));
  }
  return { tries, ends };
}

describe('a pair', () => {
  it('without a failure is played once, in its order', async () =>
    expect(await playPair({})).toEqual({ tries: ARMS, ends: ARMS }));

  it('is played again from its first arm when a later one fails', async () => {
    const { tries, ends } = await playPair({ h3: ['link-ended'] });
    expect(tries).toEqual(['h1', 'h2', 'h3', 'h1', 'h2', 'h3']);
    expect(ends).toEqual(ARMS);
    expect(finished()).toEqual(ARMS);
    expect(linesOf('h3')).toEqual(['link-ended: of h3']);
    for (const id of ['h1', 'h2'])
      expect(linesOf(id)).toEqual(['pair-repeated: its pair was repeated because bola/h3 failed: of h3']);
    const startOf = (id: string): number =>
      (JSON.parse(readFileSync(filesOf(id).log, 'utf8')) as { clock: { startedAtUnixMs: number } }).clock
        .startedAtUnixMs;
    expect(ARMS.map((id) => (startOf(id) - START_MS) / 60_000)).toEqual([4, 5, 6]);
  });

  it('whose first arm fails has nothing to set aside', async () => {
    const { tries } = await playPair({ h1: ['browser-ended', 'browser-ended'] });
    expect(tries).toEqual(['h1', 'h1', 'h1 last', 'h2', 'h3']);
    expect(linesOf('h2')).toEqual([]);
  });

  it('is repeated twice, whichever arm fails; then the session has failed and the others go on', async () => {
    const { tries, ends } = await playPair({
      h2: ['browser-ended', 'browser-ended', 'browser-ended'],
      h3: ['link-ended'],
    });
    expect(tries).toEqual(['h1', 'h2', 'h1', 'h2', 'h1', 'h2 last', 'h3 last']);
    expect(ends).toEqual(['h1', 'failed of h2', 'failed of h3']);
    expect(finished()).toEqual(['h1']);
  });

  it('goes on with what is left of it when an arm fails while the pair is played again', async () => {
    const { tries, ends } = await playPair({ h1: [null, 'page-did-not-load'], h3: ['link-ended'] });
    expect(tries).toEqual(['h1', 'h2', 'h3', 'h1', 'h1', 'h2', 'h3']);
    expect(ends).toEqual(ARMS);
  });

  it('is not repeated for an outcome', async () => {
    const { tries, ends } = await playPair({ h2: ['player-gave-up'] });
    expect(tries).toEqual(['h1', 'h2', 'h3']);
    expect(ends).toEqual(['h1', 'failed of h2', 'h3']);
  });
});

describe('a pair of several comparisons', () => {
  const session = (id: string, common: string): CompareCell => ({
    ...cells[0]!,
    id,
    common,
    design: { ...cells[0]!.design!, cell: id, arm: id },
  });
  const two = [
    session('bola/h1', 'bola'),
    session('sara/h1', 'sara'),
    session('sara/h2', 'sara'),
    session('bola/h2', 'bola'),
  ].map((each) => ({ ...each, id: each.id.replace('/', '-') }));

  it('repeats what the failed session is compared with, and nothing else', async () => {
    expect(await playPair({ 'bola-h2': ['browser-ended'] }, two)).toEqual({
      tries: ['bola-h1', 'sara-h1', 'sara-h2', 'bola-h2', 'bola-h1', 'bola-h2'],
      ends: ['bola-h1', 'sara-h1', 'sara-h2', 'bola-h2'],
    });
    expect(linesOf('bola-h1')).toEqual([
      'pair-repeated: its pair was repeated because bola/h2 failed: of bola-h2',
    ]);
    expect(existsSync(filesOf('sara-h1').failures)).toBe(false);
  });

  it('counts the repeats of each comparison by itself', async () => {
    const script: Record<string, FailureId[]> = {
      'bola-h2': ['browser-ended', 'browser-ended'],
      'sara-h2': ['browser-ended'],
    };
    const { ends } = await playPair(script, two);
    expect(ends).toEqual(['bola-h1', 'sara-h1', 'sara-h2', 'bola-h2']);
    expect([linesOf('bola-h1').length, linesOf('sara-h1').length]).toEqual([2, 1]);
  });
});

describe('the next run', () => {
  const kill = async (steps: readonly (() => void | Promise<void>)[]): Promise<void> => {
    for (const step of steps) await step();
  };
  const because = 'its pair was repeated because bola/h3 failed: of h3';
  /** What happens when the third arm fails, one change of a file after the other. */
  const steps = [
    () => keepFailure(filesOf('h3').failures, new SessionFailure('link-ended', 'of h3')),
    ...['h1', 'h2'].flatMap((id) => [
      () => keepFailure(filesOf(id).failures, new SessionFailure('pair-repeated', because)),
      () => renameSync(filesOf(id).log, filesOf(id).partial),
    ]),
  ];

  it.each([1, 2, 3, 4, 5])('repeats the whole pair when it was killed after step %i', async (count) => {
    for (const cell of cells.slice(0, 2)) {
      later();
      writeLog(cell);
    }
    later();
    await kill(steps.slice(0, count));
    later();
    const { tries, ends } = await playPair({});
    expect(tries).toEqual(ARMS);
    expect(ends).toEqual(ARMS);
    // No try is told twice; the step between a line and its file may be lost only with the line.
    for (const id of ['h1', 'h2']) expect(linesOf(id).length).toBeLessThanOrEqual(1);
    if (count < 5) expect(linesOf('h2')).toEqual([`pair-repeated: ${because}`]);
  });

  it('goes on with a pair that was only cut off', async () => {
    writeLog(cells[0]!);
    later();
    expect(await playPair({})).toEqual({ tries: ['h2', 'h3'], ends: ['played before', 'h2', 'h3'] });
  });

  it('goes on with a pair that was cut off while it was played again', async () => {
    await keepFailure(filesOf('h3').failures, new SessionFailure('link-ended', 'of h3'));
    later();
    writeLog(cells[0]!);
    later();
    expect((await playPair({})).tries).toEqual(['h2', 'h3']);
  });

  it('repeats a pair of which a session was given up, whatever was played after it', async () => {
    await playPair({ h1: Array<FailureId>(3).fill('browser-ended') });
    expect(finished()).toEqual(['h2', 'h3']);
    later();
    expect((await playPair({})).tries).toEqual(ARMS);
    expect(finished()).toEqual(ARMS);
  });

  it('leaves a whole pair alone, though one of its sessions was once repeated alone', async () => {
    writeLog(cells[0]!);
    later();
    await keepFailure(filesOf('h2').failures, new SessionFailure('browser-ended', 'gone'));
    later();
    for (const cell of cells.slice(1)) writeLog(cell);
    later();
    expect((await playPair({})).tries).toEqual([]);
  });
});

it('that a pair is repeated is a failure of the laboratory', () =>
  expect(failures.find(({ id }) => id === 'pair-repeated')?.whose).toBe('laboratory'));
