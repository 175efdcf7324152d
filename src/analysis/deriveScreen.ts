import { ok, type Result } from '../shared/result.ts';
import { createLevelModel, type LevelModel, type LoadedSegment } from '../shared/shownLevel.ts';
import { readSession } from '../telemetry/schema/readSession.ts';
import type { SessionEvent, SessionLog } from '../telemetry/schema/sessionLog.ts';

type EventOf<Kind extends SessionEvent['kind']> = Extract<SessionEvent, { kind: Kind }>;
type Stall = EventOf<'stall'>;

/** ms of session time. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Reads a session file as `readSession` does, with what an older log says of the screen. */
export function readSessionLog(text: string): Result<SessionLog> {
  const read = readSession(text);
  return read.ok ? ok(deriveScreen(read.value)) : read;
}

/**
 * A log of a version without a model of the screen went by the element's `waiting` and by the player's word for levels. Here its
 * stalls get the time in which the sound played on without video, from the levels of its buffers, and where segments were
 * replaced its rendered levels are those of the segments that had arrived. Any other log is returned as it is.
 *
 * Levels of a buffer are read four times a second at most: of the hidden time in 12 sessions with witnesses this finds 85 to
 * 97 % (research/checked-numbers.md).
 */
export function deriveScreen(log: SessionLog): SessionLog {
  const { environment } = log;
  const isModelled = environment.screen !== undefined || (environment.simulator ?? null) !== null;
  if (isModelled || !log.events.some(isPlaying)) return log;
  const events = [...log.events].sort((one, other) => one.atMs - other.atMs);
  const stalls = stallsOf(events);
  const levels = replacedLevelsOf(events);
  if (!stalls && !levels) return log;
  return {
    ...log,
    environment: { ...environment, screen: 'derived' },
    events: [
      ...log.events.filter(
        (event) => !(stalls && event.kind === 'stall') && !(levels && isRenderedVideo(event)),
      ),
      ...(stalls ?? []),
      ...(levels ?? []),
    ],
  };
}

const isPlaying = (event: SessionEvent): boolean => event.kind === 'playback' && event.state === 'playing';

const isRenderedVideo = (event: SessionEvent): boolean =>
  event.kind === 'switch' && event.phase === 'rendered' && event.mediaType === 'video';

const ofKind = <Kind extends SessionEvent['kind']>(
  events: readonly SessionEvent[],
  kind: Kind,
): EventOf<Kind>[] => events.filter((event): event is EventOf<Kind> => event.kind === kind);

/** When the element said that it plays. */
function playSpans(events: readonly SessionEvent[]): Span[] {
  const spans: Span[] = [];
  let fromMs: number | null = null;
  const lastMs = events.at(-1)!.atMs;
  for (const { state, atMs } of ofKind(events, 'playback')) {
    if (state === 'playing') fromMs ??= atMs;
    if (fromMs === null || !['waiting', 'paused', 'ended', 'stopped'].includes(state)) continue;
    spans.push({ fromMs, toMs: atMs });
    fromMs = null;
  }
  return fromMs === null ? spans : [...spans, { fromMs, toMs: lastMs }];
}

/** A buffer with less has no frame to show, ms. */
const EMPTY_MS = 60;

/** When the video buffer was empty. At the end of a stream that is as it should be. */
function emptySpans(events: readonly SessionEvent[]): Span[] {
  const spans: Span[] = [];
  let before: EventOf<'buffer'> | null = null;
  let fromMs: number | null = null;
  for (const reading of ofKind(events, 'buffer')) {
    if (reading.mediaType !== 'video') continue;
    const { atMs, levelMs } = reading;
    if (levelMs > EMPTY_MS) {
      if (fromMs !== null) spans.push({ fromMs, toMs: atMs });
      fromMs = null;
    } else if (fromMs === null && before) fromMs = Math.min(atMs, before.atMs + before.levelMs);
    before = reading;
  }
  const hasEnded = ofKind(events, 'playback').some(({ state }) => state === 'ended');
  return fromMs === null || hasEnded ? spans : [...spans, { fromMs, toMs: events.at(-1)!.atMs }];
}

/** `waiting` follows where the video ran out; the element and the buffer are read one after the other, ms. */
const MEETS_MS = 250;

/** null: nothing was hidden. */
function stallsOf(events: readonly SessionEvent[]): Stall[] | null {
  const hasSound = ofKind(events, 'buffer').some(({ mediaType }) => mediaType === 'audio');
  if (!hasSound) return null;
  const plays = playSpans(events);
  const hidden = emptySpans(events).flatMap((empty) =>
    plays.flatMap((play) => {
      const span = { fromMs: Math.max(empty.fromMs, play.fromMs), toMs: Math.min(empty.toMs, play.toMs) };
      return span.toMs > span.fromMs ? [span] : [];
    }),
  );
  if (hidden.length === 0) return null;
  const stalls = [...ofKind(events, 'stall')];
  hidden.forEach((span, index) => {
    const meets = ({ atMs, durationMs }: Stall): boolean =>
      span.toMs + MEETS_MS >= atMs && span.fromMs - MEETS_MS <= atMs + (durationMs ?? Infinity);
    const place = stalls.findIndex(meets);
    if (place === -1) stalls.push(hiddenStall(span, index, events));
    else stalls[place] = widened(stalls[place]!, span);
  });
  return stalls.sort((one, other) => one.atMs - other.atMs);
}

const hiddenStall = ({ fromMs, toMs }: Span, index: number, events: readonly SessionEvent[]): Stall => ({
  kind: 'stall',
  id: `sh${index + 1}`,
  atMs: fromMs,
  playheadMs: playheadAt(ofKind(events, 'playback'), fromMs),
  durationMs: toMs - fromMs,
  stands: 'picture',
  missing: {},
});

function widened(stall: Stall, { fromMs, toMs }: Span): Stall {
  const atMs = Math.min(stall.atMs, fromMs);
  const durationMs = stall.durationMs === null ? null : Math.max(stall.atMs + stall.durationMs, toMs) - atMs;
  return {
    ...stall,
    atMs,
    playheadMs: stall.playheadMs - (stall.atMs - atMs),
    durationMs,
    stands: stall.stands === 'picture' ? 'picture' : 'both',
  };
}

/** Place of the last event at or before a time, of events in order of time; −1: none. */
function lastAtOrBefore(events: readonly { readonly atMs: number }[], atMs: number): number {
  let [from, to] = [0, events.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (events[middle]!.atMs <= atMs) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** From the last event of playback before. */
function playheadAt(playback: readonly EventOf<'playback'>[], atMs: number): number {
  const last = playback[lastAtOrBefore(playback, atMs)];
  if (!last) return 0;
  const moves = last.state === 'playing' || last.state === 'sample' || last.state === 'rate';
  return last.playheadMs + (moves ? (atMs - last.atMs) * last.playbackRate : 0);
}

/** How often the level is looked at, ms. */
const STEP_MS = 50;

/** null: no segment was replaced. */
function replacedLevelsOf(events: readonly SessionEvent[]): EventOf<'switch'>[] | null {
  const arrivals = ofKind(events, 'request')
    .filter(({ type, mediaType, outcome }) => type === 'media' && mediaType === 'video' && outcome === 'ok')
    .flatMap((request) => arrivalOf(request) ?? [])
    .sort((one, other) => one.atMs - other.atMs);
  if (new Set(arrivals.map(({ segment }) => segment.fromMs)).size === arrivals.length) return null;
  const model = createLevelModel();
  const playback = ofKind(events, 'playback');
  const seeks = ofKind(events, 'seek').map(({ atMs }) => atMs);
  const levels: EventOf<'switch'>[] = [];
  let [arrived, sought] = [0, 0];
  for (const { fromMs, toMs } of playSpans(events))
    for (let atMs = fromMs; atMs < toMs; atMs += STEP_MS) {
      for (; arrived < arrivals.length && arrivals[arrived]!.atMs <= atMs; arrived += 1)
        model.append(arrivals[arrived]!.segment);
      for (; sought < seeks.length && seeks[sought]! <= atMs; sought += 1) model.leave();
      const shown = levelAt(model, playback, atMs);
      if (shown) levels.push({ ...shown, id: `wh${levels.length + 1}` });
    }
  return levels;
}

function arrivalOf({ endMs, mediaStartMs, mediaDurationMs, rung, bitrateKbps }: EventOf<'request'>) {
  if (endMs === null || mediaStartMs === null || mediaDurationMs === null) return null;
  if (rung === null || bitrateKbps === null) return null;
  const segment: LoadedSegment = {
    fromMs: mediaStartMs,
    toMs: mediaStartMs + mediaDurationMs,
    rung,
    bitrateKbps,
    height: null,
  };
  return { atMs: endMs, segment };
}

function levelAt(
  model: LevelModel,
  playback: readonly EventOf<'playback'>[],
  atMs: number,
): Omit<EventOf<'switch'>, 'id'> | null {
  const shown = model.moveTo({ atMs, mediaMs: playheadAt(playback, atMs), rate: 1 });
  if (!shown) return null;
  const { before, segment } = shown;
  return {
    kind: 'switch',
    atMs: shown.atMs,
    phase: 'rendered',
    mediaType: 'video',
    fromRung: before?.rung ?? null,
    toRung: segment.rung,
    bitrateKbps: segment.bitrateKbps,
    reason: 'The playhead entered the new level.',
    missing: before ? {} : { fromRung: 'not-applicable' },
  };
}
