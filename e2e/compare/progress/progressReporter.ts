import { existsSync } from 'node:fs';
import path from 'node:path';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { failedTries, type FailedTry } from './failedTries.ts';
import { RunCounts, type CountedSession, type SessionEnd } from './runCounts.ts';
import { statusScreen } from './statusScreen.ts';
import { readPlan, type CompareCell } from '../plan.ts';
import { durationWords } from '../../../src/campaign/durationWords.ts';
import { OVERHEAD_MS } from '../../../src/campaign/wallTime.ts';

const REDRAWN_MS = 1000;

/**
 * Says how far a comparison or a campaign is: on a terminal one line that changes, and a line for each failure; elsewhere a
 * line for each session. Playwright makes it by its default export.
 */
export default class ProgressReporter implements Reporter {
  readonly #plan = readPlan();
  readonly #screen = statusScreen(process.stdout);
  readonly #triesBefore = new Map<string, number>();
  #counts = new RunCounts([], { atOnce: 1, expectedMs: 0 });
  #timer: NodeJS.Timeout | null = null;

  onBegin({ workers }: FullConfig, suite: Suite): void {
    const sessions = suite.allTests().map((test) => this.#counted(test));
    const leadInMs = Math.max(
      0,
      ...this.#plan.groups.flatMap(({ cells }) => cells.map((cell) => cell.link?.leadInMs ?? 0)),
    );
    const expectedMs = leadInMs + this.#plan.seconds * 1000 + OVERHEAD_MS;
    this.#counts = new RunCounts(sessions, { atOnce: workers, expectedMs });
    this.#timer = setInterval(() => this.#draw(), REDRAWN_MS).unref();
    this.#draw();
  }

  onTestBegin(test: TestCase): void {
    this.#triesBefore.set(test.id, this.#triesOf(test).length);
    this.#counts.begin(test.id, performance.now());
    this.#draw();
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const end = endOf(result);
    const tries = this.#triesOf(test).slice(this.#triesBefore.get(test.id) ?? 0);
    const repeats = Math.max(0, end === 'failed' ? tries.length - 1 : tries.length);
    this.#counts.end(test.id, performance.now(), { end, repeats });
    const words = wordsOf(result, end, tries.at(-1));
    if (words !== null && !(process.stdout.isTTY && end === 'played')) this.#say(test, words);
    this.#draw();
  }

  onStdOut(text: string | Buffer): void {
    this.#screen.pass(text);
  }

  onStdErr(text: string | Buffer): void {
    this.#screen.pass(text);
  }

  onError(error: TestError): void {
    this.#screen.line(plain(error.stack ?? error.message ?? error.value ?? 'an error without words'));
  }

  onEnd({ status, duration }: FullResult): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#screen.end();
    const played = `${this.#counts.count('played')} played`;
    this.#screen.line([played, ...this.#counts.notes, durationWords(duration)].join(', '));
    if (status === 'interrupted') this.#screen.line(this.#afterwards());
  }

  printsToStdio(): boolean {
    return true;
  }

  #afterwards(): string {
    const isCampaign = this.#plan.groups.some(({ isPair }) => isPair);
    return isCampaign
      ? `Ended early: whole logs are kept, ${this.#counts.toPlay} sessions are still to be played. The same command goes on with them.`
      : `Ended early: whole logs are kept in ${this.#plan.logDir}.`;
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
    const log = cell && path.join(this.#plan.logDir, `${cell.id}.json`);
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
    return group?.cells.find(({ rule, transport }) => title === `${rule} over ${transport}`);
  }

  #triesOf(test: TestCase): FailedTry[] {
    const cell = this.#cellOf(test);
    return cell ? failedTries(path.join(this.#plan.logDir, `${cell.id}.failures.jsonl`)) : [];
  }
}

const ENDS: Readonly<Record<TestResult['status'], SessionEnd>> = {
  passed: 'played',
  skipped: 'played before',
  failed: 'failed',
  timedOut: 'failed',
  interrupted: 'cut off',
};

/** Playwright calls skipped also what it had no time to begin. */
const endOf = ({ status, annotations }: TestResult): SessionEnd =>
  status === 'skipped' && !annotations.some(({ type }) => type === 'skip') ? 'cut off' : ENDS[status];

/** null for what needs no line of its own. */
function wordsOf(
  { duration, error }: TestResult,
  end: SessionEnd,
  last: FailedTry | undefined,
): string | null {
  if (end === 'played') return `played in ${durationWords(duration)}`;
  if (end !== 'failed') return null;
  const message = plain(error?.message ?? '').replace(/^\w*Error: /, '');
  if (last) return `failed, ${last.failure.label} (${firstLine(last.message)})`;
  // Neither the laboratory nor an outcome: a bug of ours, which wants its place.
  return `failed: ${plain(error?.stack ?? message)}`;
}

const firstLine = (text: string): string => plain(text).split('\n')[0] ?? '';

/** Playwright colours its messages. */
const plain = (text: string): string => text.replace(/\x1b\[[\d;]*m/g, '');
