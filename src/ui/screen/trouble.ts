import { isStall } from '../../shared/stalls.ts';
import { formatCount } from '../../shared/format.ts';
import { ABORTED, OK, OTHER, UNKNOWN } from '../../analysis/timeline/columns.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { PROTOCOL_NAMES } from '../../analysis/transport/protocol.ts';
import { figuresNow } from '../panels/figures.ts';
import { byId, setText, setTo } from '../dom.ts';
import { announce } from '../messages.ts';
import type { ShownSession, View } from '../session/shownSession.ts';

/** A line on the picture while playback stands still, or requests fail. */
export function trouble(): View {
  const root = byId('trouble', HTMLParagraphElement);
  let session: ShownSession | null = null;
  const update = (): void => {
    const text = session?.growing() ? formatTrouble(session.series) : null;
    // Its seconds change all the time: a screen reader hears of its beginning.
    if (text !== null && root.hidden) announce(text);
    setTo(root, 'hidden', text === null);
    if (text !== null) setText(root, text);
  };
  return {
    show(next) {
      session = next;
      update();
    },
    update,
  };
}

/** What is wrong now, in one or two sentences; null where nothing is. */
export function formatTrouble(series: SessionSeries): string | null {
  const sentences = [formatStall(series), formatFailing(series)].filter((each) => each !== null);
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** A stall that has ended is still named for so long: short ones would not be read. */
const AFTERWARDS_MS = 4000;

function formatStall(series: SessionSeries): string | null {
  const { lastMs, open, stalls } = series;
  const nowMs = open.stall ? lastMs - open.stall.atMs : 0;
  if (open.stall && isStall(nowMs)) return `Stalled for ${seconds(nowMs)}. ${formatWait(series)}`;
  const last = stalls.length - 1;
  const durationMs = stalls.columns.durationMs[last] ?? NaN;
  const endMs = (stalls.columns.atMs[last] ?? NaN) + durationMs;
  return isStall(durationMs) && lastMs - endMs < AFTERWARDS_MS
    ? `It stalled for ${seconds(durationMs)} and plays again.`
    : null;
}

/** "Waiting for video level 8, on its way for 22 s over h2." */
function formatWait(series: SessionSeries): string {
  const media = series.open.requests.filter(({ type }) => type === 'media');
  const [oldest] = media.sort((one, other) => one.atMs - other.atMs);
  if (!oldest) return 'No media request is on its way.';
  const { protocolNow } = figuresNow(series);
  const over = protocolNow === null ? '' : `, latest protocol ${PROTOCOL_NAMES[protocolNow]}`;
  return `Waiting for ${formatWanted(oldest)}, requested ${seconds(series.lastMs - oldest.atMs)} ago${over}.`;
}

const formatWanted = ({ mediaType, rung }: RequestEvent): string =>
  rung === null ? (mediaType ?? 'media') : `${mediaType ?? 'media'} level ${rung + 1}`;

/** Requests that have failed for so long are no accident of one. */
const FAILING_FROM_MS = 3000;
/** The player gives up long before. */
const FORGOTTEN_AFTER_MS = 60_000;

function formatFailing(series: SessionSeries): string | null {
  const { lastMs, buffer } = series;
  const { count, firstMs, latestMs } = failuresSinceSuccess(series);
  const isNow = lastMs - firstMs >= FAILING_FROM_MS && lastMs - latestMs <= FORGOTTEN_AFTER_MS;
  if (count === 0 || !isNow) return null;
  const levels = buffer.video.length > 0 ? buffer.video : buffer.audio;
  const levelMs = levels.columns.levelMs[levels.length - 1] ?? 0;
  const rest = levelMs > 0 ? ` The buffer lasts ${seconds(levelMs)}.` : '';
  return `No segment has come for ${seconds(lastMs - firstMs)}: ${formatCount(count, 'failure')}.${rest}`;
}

/** The requests for media that failed after the last one that succeeded. */
function failuresSinceSuccess({ requests }: SessionSeries): {
  count: number;
  firstMs: number;
  latestMs: number;
} {
  const { endMs, outcome, lane } = requests.columns;
  const found = { count: 0, firstMs: Infinity, latestMs: -Infinity };
  for (let row = requests.length - 1; row >= 0; row -= 1) {
    if (lane[row] === OTHER || outcome[row] === ABORTED || outcome[row] === UNKNOWN) continue;
    if (outcome[row] === OK) break;
    found.count += 1;
    found.firstMs = Math.min(found.firstMs, endMs[row]!);
    found.latestMs = Math.max(found.latestMs, endMs[row]!);
  }
  return found;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
