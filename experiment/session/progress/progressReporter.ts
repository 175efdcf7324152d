import { existsSync } from 'node:fs';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { knownTries, type KnownTry, endOf, plain, formatSession, formatTry } from './sessionWords.ts';
import { RunCounts, type CountedSession, uselessToGoOn } from './runCounts.ts';
import { statusScreen } from './statusScreen.ts';
import { readPlan, type CompareCell, titleOf } from '../plan.ts';
import { sessionFiles, type SessionFiles } from '../sessionFiles.ts';
import { saysNoSpace } from '../../../node/files.ts';
import { formatDuration, OVERHEAD_MS } from '../../design/campaignDuration.ts';

/** What Playwright's exit code does not tell of a run. */
export interface RunEnd {
  /** Sessions that have a log and never showed a frame. */
  readonly notShown: number;
  /** Whether the run ended early because a disk is full. */
  readonly isDiskFull: boolean;
}

/** Tells the process that has started the run; not by a file, as the disk may be full. */
const tellRunEnd = (end: RunEnd): Promise<void> =>
  new Promise((reported) => {
    if (process.send) process.send(end, () => reported());
    else reported();
  });

/** Ends the run with its command, which may be killed with its watchdog: nobody else could end what this process plays. */
export function endWithCommand(runner: Pick<NodeJS.Process, 'on' | 'kill' | 'pid' | 'channel'>): void {
  runner.on('disconnect', () => runner.kill(runner.pid, 'SIGINT'));
  // Node would wait for the command because of the listener.
  runner.channel?.unref();
}

/** End of a killed run, which has reported nothing. */
export const NOTHING_REPORTED: RunEnd = { notShown: 0, isDiskFull: false };

const REDRAWN_MS = 1000;

/** Time between two readings of the files that have the tries that are repeated, ms. */
const TRIES_READ_MS = 5000;

/**
 * Says how far a comparison or a campaign is: on a terminal one line that changes, and a line for each failure and each try
 * that does not count; elsewhere a line for each session, too. Playwright makes it by its default export.
 */
export default class ProgressReporter implements Reporter {
  readonly #plan = readPlan();
  readonly #screen = statusScreen(process.stdout);
  readonly #triesBefore = new Map<string, number>();
  /** Numbers of tries of running sessions that have been printed, by the id of the test. */
  readonly #triesSaid = new Map<string, number>();
  #tests: readonly TestCase[] = [];
  #counts = new RunCounts([], { atOnce: 1, expectedMs: 0 });
  #timers: NodeJS.Timeout[] = [];
  #isEnding = false;
  #isDiskFull = false;

  onBegin({ workers }: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
    const sessions = this.#tests.map((test) => this.#counted(test));
    const leadInMs = Math.max(
      0,
      ...this.#plan.groups.flatMap(({ cells }) => cells.map((cell) => cell.link?.leadInMs ?? 0)),
    );
    const expectedMs = leadInMs + this.#plan.seconds * 1000 + OVERHEAD_MS;
    this.#counts = new RunCounts(sessions, { atOnce: workers, expectedMs });
    // Whoever reads our output may stop early; the sessions are played all the same.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    endWithCommand(process);
    this.#timers = [
      setInterval(() => this.#draw(), REDRAWN_MS).unref(),
      setInterval(() => this.#sayTries(), TRIES_READ_MS).unref(),
    ];
    this.#draw();
  }

  onTestBegin(test: TestCase): void {
    const tries = this.#triesOf(test).length;
    this.#triesBefore.set(test.id, tries);
    this.#triesSaid.set(test.id, tries);
    this.#counts.begin(test.id, performance.now());
    this.#draw();
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#triesSaid.delete(test.id);
    const end = endOf(result);
    const tries = this.#triesOf(test).slice(this.#triesBefore.get(test.id) ?? 0);
    const repeats = Math.max(0, end === 'failed' ? tries.length - 1 : tries.length);
    this.#counts.end(test.id, performance.now(), { end, repeats });
    if (end === 'failed' || end === 'cut off') this.#loseOthers(test, end);
    const last = tries.findLast(({ failure }) => failure.id !== 'pair-repeated');
    const words = formatSession(result, end, last);
    if (words !== null && !(process.stdout.isTTY && end === 'played')) this.#say(test, words);
    if (end === 'failed') this.#endWhenUseless({ words: words ?? '', last });
    this.#draw();
  }

  onStdOut(text: string | Buffer): void {
    this.#screen.pass(text);
  }

  onStdErr(text: string | Buffer): void {
    this.#screen.pass(text);
    // A try tells what of it could not be kept, before it is repeated.
    this.#endWhenUseless({ words: String(text), last: undefined });
  }

  onError(error: TestError): void {
    this.#screen.line(plain(error.stack ?? error.message ?? error.value ?? 'an error without a message'));
  }

  async onEnd({ status, duration }: FullResult): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#screen.end();
    const played = `${this.#counts.count('played')} played`;
    this.#screen.line([played, ...this.#counts.notes, formatDuration(duration)].join(', '));
    if (status === 'interrupted') this.#screen.line(this.#afterwards());
    await tellRunEnd({ notShown: this.#counts.count('not shown'), isDiskFull: this.#isDiskFull });
  }

  printsToStdio(): boolean {
    return true;
  }

  /** Interrupts the run as Ctrl-C does: what is whole is kept. */
  #endWhenUseless(failure: { words: string; last: KnownTry | undefined }): void {
    const reason = uselessToGoOn(failure, this.#plan.logDir);
    if (reason === null || this.#isEnding) return;
    this.#isEnding = true;
    this.#isDiskFull = saysNoSpace(`${failure.words} ${failure.last?.message ?? ''}`);
    this.#screen.line(reason);
    process.kill(process.pid, 'SIGINT');
  }

  #afterwards(): string {
    const isCampaign = this.#plan.groups.some(({ isPair }) => isPair);
    return isCampaign
      ? `Ended early: complete logs are kept, ${this.#counts.toPlay} sessions are still to be played. Run the same command again to continue.`
      : `Ended early: complete logs are kept in ${this.#plan.logDir}.`;
  }

  /** Prints a line for each try that was thrown away: without one, a session that is repeated looks as if it stood still. */
  #sayTries(): void {
    for (const test of this.#tests) {
      const said = this.#triesSaid.get(test.id);
      if (said === undefined) continue;
      const tries = this.#triesOf(test);
      this.#triesSaid.set(test.id, tries.length);
      for (const each of tries.slice(said)) {
        const words = formatTry(each);
        if (words !== null) this.#say(test, words);
      }
    }
  }

  #say(test: TestCase, words: string): void {
    const left = this.#counts.left(performance.now());
    const pair = this.#isPair(test) ? `, ${test.parent.title}` : '';
    this.#screen.line(`${this.#counts.done} ${test.title}${pair}: ${words}${left ? `; ${left}` : ''}`);
  }

  #draw(): void {
    const { done, notes } = this.#counts;
    this.#screen.status([done, ...notes, this.#counts.left(performance.now())].filter(Boolean).join(' · '));
  }

  #counted(test: TestCase): CountedSession {
    const cell = this.#cellOf(test);
    const log = this.#filesOf(test)?.log;
    return {
      key: test.id,
      pair: this.#isPair(test) ? test.parent.title : test.id,
      seemsPlayed: log !== undefined && cell?.design !== null && existsSync(log),
    };
  }

  #isPair(test: TestCase): boolean {
    return this.#plan.groups.find(({ name }) => name === test.parent.title)?.isPair ?? false;
  }

  #cellOf({ title, parent }: TestCase): CompareCell | undefined {
    const group = this.#plan.groups.find(({ name }) => name === parent.title);
    return group?.cells.find((cell) => title === titleOf(cell));
  }

  /** Returns the tries of all sessions of a test's pair: a session that fails sets the others aside. */
  #triesOf(test: TestCase): KnownTry[] {
    const files = this.#pairOf(test).flatMap((each) => this.#filesOf(each)?.failures ?? []);
    return knownTries(files);
  }

  /** Counts sessions of a pair that have no log any more: set aside, and not played again before the pair ended. */
  #loseOthers(test: TestCase, end: 'failed' | 'cut off'): void {
    for (const other of this.#pairOf(test)) {
      const log = this.#filesOf(other)?.log;
      if (other.id !== test.id && log !== undefined && !existsSync(log)) this.#counts.lose(other.id, end);
    }
  }

  #pairOf(test: TestCase): readonly TestCase[] {
    return this.#isPair(test) ? this.#tests.filter(({ parent }) => parent === test.parent) : [test];
  }

  #filesOf(test: TestCase): SessionFiles | undefined {
    const cell = this.#cellOf(test);
    return cell && sessionFiles(this.#plan.logDir, cell.id);
  }
}
