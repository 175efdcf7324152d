import { formatCount } from '../../../src/shared/format.ts';
import { formatDuration } from '../../design/campaignDuration.ts';
import type { KnownTry, SessionEnd } from './sessionWords.ts';
import { saysNoSpace } from '../../../node/files.ts';

/**
 * Why no session after a failed one can leave a log, in one sentence; null when others may. `words` are those of the
 * failure, `last` is its last try.
 */
export function uselessToGoOn(
  { words, last }: { words: string; last: KnownTry | undefined },
  logDir: string,
): string | null {
  const said = `${words} ${last?.message ?? ''}`;
  if (saysNoSpace(said)) return `There is no space left for more logs, in ${logDir} or for temporary files.`;
  return last?.failure.id === 'log-not-written'
    ? `Logs cannot be written into ${logDir} (${last.message.split('\n')[0]}).`
    : null;
}

/** What of a run is still to come. */
export interface ToCome {
  /** Pairs that are being played: their sessions that have not ended, and how long the one that runs has been on. */
  readonly running: readonly { readonly left: number; readonly elapsedMs: number }[];
  /** Sessions of each pair that has not begun, in the order in which pairs begin. */
  readonly waiting: readonly number[];
  /** Pairs at once. */
  readonly atOnce: number;
  /** What a session takes. */
  readonly sessionMs: number;
}

/**
 * How long a run still takes when each pair begins as soon as one before it has ended. A session that has taken longer than
 * others counts as about to end.
 */
export function remainingMs({ running, waiting, atOnce, sessionMs }: ToCome): number {
  const freeAtMs = running.map(
    ({ left, elapsedMs }) => Math.max(0, sessionMs - elapsedMs) + (left - 1) * sessionMs,
  );
  while (freeAtMs.length < atOnce) freeAtMs.push(0);
  for (const sessions of waiting) {
    const first = freeAtMs.indexOf(Math.min(...freeAtMs));
    freeAtMs[first]! += sessions * sessionMs;
  }
  return Math.max(0, ...freeAtMs);
}

/** What a session has a log after. */
const WHOLE = ['played', 'played before', 'not shown'] as const satisfies readonly SessionEnd[];

/** A session in a run; those of a pair share their `pair`. */
export interface CountedSession {
  readonly key: string;
  readonly pair: string;
  /** Whether it seems to have its log already: it is left out of the time to come, until it begins after all. */
  readonly seemsPlayed: boolean;
}

/**
 * Counts the sessions of a run and says how far it is. Times are in ms of one clock, which only has to go forward.
 */
export class RunCounts {
  readonly #ends = new Map<string, SessionEnd>();
  readonly #startedAtMs = new Map<string, number>();
  readonly #tookMs: number[] = [];
  readonly #sessions: readonly CountedSession[];
  readonly #atOnce: number;
  readonly #expectedMs: number;
  #repeats = 0;

  constructor(
    sessions: readonly CountedSession[],
    { atOnce, expectedMs }: { atOnce: number; expectedMs: number },
  ) {
    this.#sessions = sessions;
    this.#atOnce = atOnce;
    this.#expectedMs = expectedMs;
  }

  begin(key: string, nowMs: number): void {
    this.#startedAtMs.set(key, nowMs);
  }

  end(key: string, nowMs: number, { end, repeats = 0 }: { end: SessionEnd; repeats?: number }): void {
    if (end === 'played') this.#tookMs.push(nowMs - (this.#startedAtMs.get(key) ?? nowMs));
    this.#startedAtMs.delete(key);
    this.#ends.set(key, end);
    this.#repeats += repeats;
  }

  /** Counts a session that had its log as one that has none: it was set aside with its pair. */
  lose(key: string, end: 'failed' | 'cut off'): void {
    if (WHOLE.some((whole) => whole === this.#ends.get(key))) this.#ends.set(key, end);
  }

  count(end: SessionEnd): number {
    return [...this.#ends.values()].filter((each) => each === end).length;
  }

  /** `37/48`: those that have ended, of all. */
  get done(): string {
    return `${this.#ends.size - this.count('cut off')}/${this.#sessions.length}`;
  }

  get toPlay(): number {
    return this.#sessions.length - WHOLE.reduce((sum, end) => sum + this.count(end), 0);
  }

  /** What else there is to know of the run, in words. */
  get notes(): string[] {
    const running = this.#startedAtMs.size;
    const [before, failed] = [this.count('played before'), this.count('failed')];
    const notShown = this.count('not shown');
    return [
      ...(notShown > 0 ? [`${notShown} without a frame`] : []),
      ...(before > 0 ? [`${before} played before`] : []),
      ...(running > 0 ? [`${running} running`] : []),
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(this.#repeats > 0
        ? [`${formatCount(this.#repeats, 'failed try', 'failed tries')} repeated, not the player’s fault`]
        : []),
    ];
  }

  /** `about 12 min left`; empty when nothing is. */
  left(nowMs: number): string {
    const ms = this.#remainingMs(nowMs);
    return ms > 0 ? `about ${formatDuration(ms)} left` : '';
  }

  #remainingMs(nowMs: number): number {
    const running: { left: number; elapsedMs: number }[] = [];
    const waiting: number[] = [];
    for (const sessions of this.#pairsToPlay().values()) {
      const started = sessions.map(({ key }) => this.#startedAtMs.get(key)).find((at) => at !== undefined);
      if (started === undefined) waiting.push(sessions.length);
      else running.push({ left: sessions.length, elapsedMs: nowMs - started });
    }
    return remainingMs({ running, waiting, atOnce: this.#atOnce, sessionMs: this.#sessionMs() });
  }

  #pairsToPlay(): Map<string, CountedSession[]> {
    const pairs = new Map<string, CountedSession[]>();
    for (const session of this.#sessions) {
      const isToPlay = !session.seemsPlayed || this.#startedAtMs.has(session.key);
      if (!isToPlay || this.#ends.has(session.key)) continue;
      const pair = pairs.get(session.pair);
      if (pair) pair.push(session);
      else pairs.set(session.pair, [session]);
    }
    return pairs;
  }

  /** The mean of those that were played; what the plan says until then. Some took several tries, and so will others. */
  #sessionMs(): number {
    const sum = this.#tookMs.reduce((total, each) => total + each, 0);
    return sum > 0 ? sum / this.#tookMs.length : this.#expectedMs;
  }
}
