import { roundedMs } from '../../shared/units.ts';
import { absent, finiteOr, hasLadder, withReasons, type LadderEvent, type ManifestEvent } from '../event.ts';
import { createPendingDecisions } from '../recorder/pendingDecisions.ts';
import type { SessionHeader } from '../schema/sessionLog.ts';
import { guarded } from './onEvents.ts';
import type { PlayerAdapter } from './playerAdapter.ts';
import type { Recording } from './recording.ts';
import { createRequestBook, type RequestBook } from './requests/requestBook.ts';
import { createRecordedFetch } from './requests/sideRequests.ts';
import { nameMpd, nameRule } from './sessionHeader.ts';
import { playheadMs, type ElementSurroundings } from './surroundings.ts';
import type { Telemetry } from './telemetry.ts';
import { trackTypedBuffers } from './trackBuffer.ts';
import { newTrack, showLevels } from './trackLevels.ts';
import { recordError, trackMediaErrors } from './trackMediaErrors.ts';
import { trackPlayback, trackVisibility } from './trackPlayback.ts';
import { ladderOf, type RungSource } from './trackPresentation.ts';
import { redactUrl } from '../redactUrl.ts';

/** What an adapter reports of a choice that the player made by its own rule. */
interface OwnChoice {
  readonly representationId: string;
  /** null: it was the first. */
  readonly fromId: string | null;
  readonly segment: number | null;
  readonly segmentsLeft: number | null;
  readonly estimateKbps: number | null;
  readonly bufferTargetMs: number;
  readonly values: Readonly<Record<string, number>>;
  /** One sentence, or more. */
  readonly because: string;
}

/** The ladder of video that the player offers now. */
interface OwnLadder {
  /** Writes it to the log where it is new. `segmentMs`: null where it is not known yet. */
  offer(rungs: readonly RungSource[], segmentMs: number | null): void;
  /** null: not on the ladder. */
  at(
    representationId: string | null,
  ): { readonly rung: number; readonly bitrateKbps: number; readonly height: number | null } | null;
}

/** What the adapter of a player that decides by itself reports to; the rest is the same for all of them. */
export interface PlayerTracking extends Pick<Telemetry, 'decide' | 'drained' | 'fetch' | 'expectSeek'> {
  readonly book: RequestBook;
  readonly ladder: OwnLadder;
  /** Written to the log where the player's own rule decides. */
  chose(choice: OwnChoice): void;
  /** It changes to this level from now on. */
  switches(toId: string, fromId: string | null): void;
  /** Video of a level is in the buffer, between two times of the presentation. */
  appended(representationId: string, span: { readonly fromMs: number; readonly toMs: number }): void;
  cleared(fromMs: number, toMs: number): void;
  manifest(facts: Pick<ManifestEvent, 'url' | 'type' | 'lowLatency' | 'durationMs' | 'periods'>): void;
  error(error: Parameters<typeof recordError>[1], message: string): void;
  stop(): void;
}

interface OwnPlayer {
  /** What a log calls the player's own rule, such as `hlsjs-abr`, and how sentences call the player. */
  readonly rule: string;
  readonly name: string;
  readonly adapter: PlayerAdapter;
  /** Media ahead of the playhead, null: there is no such buffer. */
  bufferMs(mediaType: 'video' | 'audio'): number | null;
  /** Whether an error of the element ends playback. */
  isFatal(code: number): boolean;
}

/** There are no periods in HLS, and Shaka joins those of DASH. */
export const ONE_PERIOD = 'main';

/**
 * Starts the trackers that players share which decide by themselves. Who decides is what the newest `rule` event says. `header`
 * takes the address of the first manifest.
 */
export function trackPlayer(
  around: ElementSurroundings & { readonly recording: Recording },
  header: SessionHeader,
  player: OwnPlayer,
): PlayerTracking {
  const { recording, clock, keepQueryValues } = around;
  const { adapter } = player;
  const decisions = createPendingDecisions((draft) => void recording.record(draft));
  const book = createRequestBook({
    recording,
    sessionMs: clock.sessionMs,
    keepQueryValues,
    pageOrigin: location.origin,
    takeOthers: () => [],
    onSent({ id, url, purpose: { type, mediaType, segment } }) {
      if (type === 'manifest') nameMpd(header, url, keepQueryValues);
      if (type === 'media' && hasLadder(mediaType)) decisions.link(mediaType, { id, segment });
    },
  });
  const ladder = createOwnLadder(around);
  const screen = trackPlayback({ ...around, adapter });
  const video = newTrack();
  showLevels(recording, screen).set('video', video);
  const inCharge = watchRule(recording, player.rule);
  if (header.environment.rule === null) {
    const inUse = { rule: player.rule, parameters: {} };
    nameRule(header.environment, inUse);
    recording.record({ kind: 'rule', atMs: clock.nowMs(), ...inUse, missing: {} });
  }
  const disposers = [
    trackTypedBuffers(around, screen, player.bufferMs),
    trackVisibility(around),
    trackMediaErrors(around, player.isFatal),
    book.close,
    decisions.release,
    screen.dispose,
    inCharge.dispose,
  ];
  return {
    book,
    ladder,
    chose(choice) {
      if (inCharge.rule() === player.rule) decisions.decide(decisionOf(choice, { around, ladder, player }));
    },
    switches(toId, fromId) {
      const to = ladder.at(toId);
      if (to)
        recording.record({
          kind: 'switch',
          atMs: clock.nowMs(),
          ...withReasons({
            phase: 'requested' as const,
            mediaType: 'video' as const,
            fromRung: ladder.at(fromId)?.rung ?? absent('not-applicable'),
            toRung: to.rung,
            bitrateKbps: to.bitrateKbps,
            reason: formatChoice(player, inCharge.rule()),
          }),
        });
    },
    appended(representationId, span) {
      const level = ladder.at(representationId);
      if (level) video.model.append({ ...span, ...level });
    },
    cleared: video.model.clear,
    manifest: (facts) =>
      void recording.record({ ...manifestOf(facts, keepQueryValues), atMs: clock.nowMs() }),
    error: (error, message) => recordError(around, error, message),
    decide: decisions.decide,
    drained: book.drained,
    fetch: createRecordedFetch(book),
    expectSeek: screen.expectSeek,
    stop() {
      for (const dispose of disposers) guarded(dispose)();
    },
  };
}

/** Which rule decides, by the newest `rule` event; `first` before any. */
function watchRule(
  recording: Pick<Recording, 'subscribe'>,
  first: string,
): { rule(): string; dispose(): void } {
  let rule = first;
  const dispose = recording.subscribe((event) => {
    if (event.kind === 'rule') ({ rule } = event);
  });
  return { rule: () => rule, dispose };
}

const formatChoice = ({ rule, name }: OwnPlayer, inCharge: string): string =>
  inCharge === rule ? `${name} chose it by its own rule.` : `The rule ${inCharge} chose it.`;

function manifestOf(
  { url, durationMs, ...facts }: Parameters<PlayerTracking['manifest']>[0],
  keepQueryValues: boolean,
) {
  const why = absent(facts.type === 'dynamic' ? 'not-applicable' : 'not-sent');
  return {
    kind: 'manifest' as const,
    ...facts,
    ...withReasons({
      url: redactUrl(url, keepQueryValues).slice(0, 16_000),
      durationMs: durationMs ?? why,
      minBufferMs: absent('not-sent'),
    }),
  };
}

function createOwnLadder({ clock, recording }: ElementSurroundings): OwnLadder {
  let rungs: LadderEvent['rungs'] = [];
  let written = '';
  return {
    offer(offered, segmentMs) {
      rungs = ladderOf(offered);
      const names = JSON.stringify(rungs);
      if (rungs.length === 0 || written === names) return;
      written = names;
      recording.record({
        kind: 'ladder',
        atMs: clock.nowMs(),
        mediaType: 'video',
        periodId: ONE_PERIOD,
        rungs,
        ...withReasons({
          language: absent('not-applicable'),
          segmentMs: finiteOr(segmentMs, 'too-early'),
        }),
      });
    },
    at(id) {
      const rung = rungs.findIndex(({ representationId }) => representationId === id);
      const found = rungs[rung];
      return found ? { rung, bitrateKbps: found.bitrateKbps, height: found.height } : null;
    },
  };
}

function decisionOf(
  choice: OwnChoice,
  {
    around: { clock, video },
    ladder,
    player,
  }: { around: ElementSurroundings; ladder: OwnLadder; player: OwnPlayer },
): Parameters<ReturnType<typeof createPendingDecisions>['decide']>[0] {
  const { values, because, estimateKbps, segment, segmentsLeft, bufferTargetMs } = choice;
  const nowMs = clock.nowMs();
  const chosen = ladder.at(choice.representationId);
  const lastRung = ladder.at(choice.fromId)?.rung ?? null;
  const rung = chosen?.rung ?? null;
  const { liveLatencyMs } = player.adapter.latency();
  return {
    kind: 'decision',
    atMs: nowMs,
    mediaType: 'video',
    rule: player.rule,
    because,
    values,
    votes: [{ rule: player.rule, rung, because, asked: true }],
    moment: {
      nowMs,
      playheadMs: playheadMs(video),
      bufferMs: roundedMs(player.bufferMs('video') ?? 0),
      bufferTargetMs,
      segment,
      segmentsLeft,
      lastRung,
      liveLatencyMs: typeof liveLatencyMs === 'number' ? liveLatencyMs : null,
      playbackRate: video.playbackRate,
    },
    // It decides while it does other things.
    tookMs: 0,
    ...withReasons({
      segment: finiteOr(segment, 'not-supported'),
      fromRung: lastRung ?? absent('too-early'),
      rung: rung ?? absent('not-supported'),
      bitrateKbps: chosen?.bitrateKbps ?? absent('not-supported'),
      holdUntilBufferMs: absent('not-supported'),
      estimateKbps: finiteOr(estimateKbps, 'too-early'),
    }),
  };
}

/** What `ranges` have ahead of a time, in ms; a hole of up to a tenth of a second is none. Times in s. */
export function aheadMs(
  ranges: readonly { readonly start: number; readonly end: number }[],
  atSeconds: number,
): number {
  let end = atSeconds;
  for (const range of ranges) if (range.start <= end + 0.1 && range.end > end) end = range.end;
  return (end - atSeconds) * 1000;
}
