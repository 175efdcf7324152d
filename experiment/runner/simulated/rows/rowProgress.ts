import { formatDuration } from '../../../design/campaignDuration.ts';
import { formatInteger, formatNumber } from '../../../../src/shared/format.ts';

/** Where progress goes: standard error, or a test. */
interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Sessions are counted while they are simulated. */
interface RowProgress {
  done(sessions: number): void;
  /** Takes the line away, where there is a terminal. */
  end(): void;
}

/** Where nobody watches, a line so often at most. */
const EVERY_MS = 60_000;

/** Shows how many sessions are simulated, how many a second, and how long the others take. `nowMs` is a clock. */
export function rowProgress(
  total: number,
  screen: Screen = process.stderr,
  nowMs: () => number = () => performance.now(),
): RowProgress {
  const startMs = nowMs();
  let [count, shownMs] = [0, startMs];
  return {
    done(sessions) {
      count += sessions;
      const atMs = nowMs();
      const line = formatProgress({ count, total, tookMs: atMs - startMs });
      if (screen.isTTY) screen.write(`\r${line}\x1b[K`);
      else if (atMs - shownMs >= EVERY_MS) {
        screen.write(`${line}\n`);
        shownMs = atMs;
      }
    },
    end: () => void (screen.isTTY && screen.write('\r\x1b[K')),
  };
}

interface Counted {
  readonly count: number;
  readonly total: number;
  readonly tookMs: number;
}

/** `12,000 of 1,000,000 sessions, 310 a second, 53 min 7 s left`. */
export function formatProgress({ count, total, tookMs }: Counted): string {
  const leftMs = count > 0 ? (tookMs / count) * (total - count) : 0;
  return `${formatInteger(count)} of ${formatInteger(total)} sessions, ${formatRate(count, tookMs)}, ${formatDuration(leftMs)} left`;
}

/** `310 a second`, `0.5 a second`. */
export function formatRate(count: number, tookMs: number): string {
  const rate = (1000 * count) / Math.max(1, tookMs);
  return `${rate < 10 ? formatNumber(rate, 1) : formatInteger(Math.round(rate))} a second`;
}
