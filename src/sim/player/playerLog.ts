import { checkedAnswer } from '../../abr/answer.ts';
import type { Answer, MediaType, Moment } from '../../abr/rule.ts';
import { errorDraft } from '../../telemetry/errorDraft.ts';
import type { Draft, ErrorEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { Content, Track } from '../content.ts';
import { pathwayUrl, playbackDraft, switchRendered, switchRequested } from '../log/simEvents.ts';
import type { Played } from '../log/simHeader.ts';
import { createSimLog, type SimDecision, type SimLog } from '../log/simLog.ts';
import type { SimFetch } from '../log/simRequest.ts';
import type { Scene } from '../model.ts';
import type { InstrumentedSender } from './congestionWindow.ts';
import { fetchRecord } from './fetchRecord.ts';
import type { Fetch, TrackJob } from './fetches.ts';
import { PATHWAYS } from './pathways.ts';
import type { Viewer } from './playback.ts';
import type { PlayerModelSettings, SteeringSettings } from './playerModelSettings.ts';

/** Writes the session log of the player model while it plays. */
export interface PlayerLog extends Viewer {
  readonly log: SimLog;
  /** The rule was asked; the request that follows is not made yet. */
  asked(mediaType: MediaType, moment: Moment, answer: Answer): void;
  /** The last choice led to this request, or (null) to none. */
  settled(mediaType: MediaType, fetch: Fetch | null): void;
  /** Id of a request, also of one that still runs. */
  idOf(fetch: Fetch): string;
  fetched(fetch: Fetch, atMs: number, outcome: SimFetch['outcome']): void;
  level(mediaType: MediaType, atMs: number, levelMs: number): void;
  /** A request has failed as often as dash.js makes it. */
  failed(job: TrackJob, atMs: number): void;
  /** Playback ends, because that has lasted too long. */
  gaveUp(job: TrackJob, atMs: number): void;
  finish(endMs: number): SessionLog;
}

export function createPlayerLog(scene: Scene, settings: PlayerModelSettings, model: string): PlayerLog {
  const { content, rule } = scene;
  const log = createSimLog(scene, {
    model,
    live: settings.live !== null,
    settings: settingsRecord(settings),
    transport: settings.protocol === 'h3' ? 'h3-only' : settings.protocol,
    steering: steeringRecord(content, settings),
  });
  const requestIds = new WeakMap<Fetch, string>();
  const waiting = new Map<MediaType, SimDecision>();
  const idOf = (fetch: Fetch): string => {
    const id = requestIds.get(fetch) ?? log.reserveId('request');
    requestIds.set(fetch, id);
    return id;
  };
  const settle = (mediaType: MediaType, requestId: string | null): void => {
    const decision = waiting.get(mediaType);
    waiting.delete(mediaType);
    if (decision) log.decided(decision, requestId);
  };
  log.record(playRequested(settings));
  return {
    log,
    ...viewerOf(log, content.video, settings),
    asked(mediaType, moment, answer) {
      const track = trackOf(content, mediaType);
      const checked = checkedAnswer(answer, track.ladder.length);
      if (!checked.ok) throw new Error(`The rule ${rule.id} cannot play: ${checked.error}.`);
      // After a hold the same answer to the same question is no news (src/player/bridge/hold.ts).
      if (waiting.get(mediaType)?.answer.rung === answer.rung) return;
      settle(mediaType, null);
      waiting.set(mediaType, { mediaType, moment, answer: checked.value, inputId: log.inputId(mediaType) });
      const change = { atMs: moment.nowMs, mediaType, fromRung: moment.lastRung, toRung: answer.rung };
      if (change.fromRung !== change.toRung) log.record(switchRequested(change, track, rule.id));
    },
    settled: (mediaType, fetch) => settle(mediaType, fetch && idOf(fetch)),
    idOf,
    fetched(fetch, atMs, outcome) {
      const continues = fetch.continues && idOf(fetch.continues);
      log.fetched(fetchRecord(fetch, settings, { atMs, outcome, continues }), idOf(fetch));
    },
    level: (mediaType, atMs, levelMs) =>
      log.record({ kind: 'buffer', atMs, mediaType, levelMs, missing: {} }),
    failed: (job, atMs) => log.record(failedDraft(job, atMs)),
    gaveUp: (job, atMs) => log.record(endedDraft(job, atMs)),
    finish: (endMs) => log.finish(endMs),
  };
}

const playRequested = ({ playAtMs, live }: PlayerModelSettings): ReturnType<typeof playbackDraft> =>
  playbackDraft('play-requested', { atMs: playAtMs, playheadMs: 0, liveLatencyMs: live && live.delayMs });

/** Error codes of dash.js (core/errors/Errors.js: DOWNLOAD_ERROR_ID_CONTENT and DOWNLOAD_ERROR_ID_INITIALIZATION). */
const SEGMENT_FAILED = 27;
const INIT_FAILED = 28;

const formatFailed = ({ mediaType, type, segment }: TrackJob): string =>
  `The ${mediaType} ${type === 'init' ? 'init segment' : `segment ${segment}`} did not come in time, four times`;

const failedDraft = (job: TrackJob, atMs: number): Draft<ErrorEvent> => {
  const code = `dashjs-${job.type === 'init' ? INIT_FAILED : SEGMENT_FAILED}`;
  return errorDraft({ atMs, source: 'player', code, message: `${formatFailed(job)}.` });
};

/** As the page ends playback (`src/player/failures`). */
const endedDraft = (job: TrackJob, atMs: number): Draft<ErrorEvent> =>
  errorDraft({
    atMs,
    source: 'player',
    code: 'ended',
    fatal: true,
    message: `${formatFailed(job)}, and nothing came since. Playback ends here.`,
  });

function steeringRecord(content: Content, { steering }: PlayerModelSettings): Played['steering'] {
  if (!steering) return null;
  const { id, parameters } = steering.policy;
  const pathways = PATHWAYS.map((pathway) => ({ ...pathway, base: pathwayUrl(content, pathway.id) }));
  return { policy: id, parameters: { ...parameters }, pathways };
}

const trackOf = ({ video, audio }: Content, mediaType: MediaType): Track =>
  mediaType === 'audio' && audio ? audio : video;

function viewerOf(log: SimLog, track: Track, { live, playAtMs }: PlayerModelSettings): Viewer {
  let lastRung: number | null = null;
  const state = (
    name: 'playing' | 'waiting' | 'ended' | 'stopped',
    atMs: number,
    playheadMs: number,
  ): void => {
    const liveLatencyMs = live && live.delayMs + atMs - playAtMs - playheadMs;
    log.record(playbackDraft(name, { atMs, playheadMs, liveLatencyMs }));
  };
  return {
    playing: (atMs, playheadMs) => state('playing', atMs, playheadMs),
    waiting: (atMs, playheadMs) => state('waiting', atMs, playheadMs),
    ended: (atMs, playheadMs) => state('ended', atMs, playheadMs),
    stopped: (atMs, playheadMs) => state('stopped', atMs, playheadMs),
    shown(atMs, rung) {
      if (rung !== lastRung)
        log.record(switchRendered({ atMs, mediaType: 'video', fromRung: lastRung, toRung: rung }, track));
      lastRung = rung;
    },
    stalled: (stall) => log.record({ kind: 'stall', ...stall, missing: {} }),
    sought: (seek) =>
      log.record({
        kind: 'seek',
        ...seek,
        missing: seek.waitMs === null ? { waitMs: 'not-applicable' } : {},
      }),
  };
}

/** ms; a session of a campaign has a preset, whose time-out need not be said again. */
const PRESET_TIMEOUT_MS = 120_000;

/** The settings as the log's header takes them: one value per name, lists in words. */
function settingsRecord({
  timeoutMs,
  live,
  seeks,
  sender,
  steering,
  ...plain
}: PlayerModelSettings): Record<string, number | string | boolean | null> {
  return {
    ...plain,
    ...timeoutSetting(timeoutMs),
    'live.delayMs': live && live.delayMs,
    'sender.initialPackets': sender && sender.initialPackets,
    'sender.queuePackets': sender && sender.queuePackets,
    ...(sender?.lossSeed !== undefined && { 'sender.lossSeed': sender.lossSeed }),
    ...(sender?.instrumented && { 'sender.instrumented': formatSender(sender.instrumented) }),
    ...(steering && steeringSettings(steering)),
    seeks: seeks
      .map(({ atMs, toMs }) => `${atMs}→${toMs}`)
      .join(' ')
      .slice(0, 400),
  };
}

const timeoutSetting = (timeoutMs: number | null): { readonly timeoutMs?: number } =>
  timeoutMs === null || timeoutMs === PRESET_TIMEOUT_MS ? {} : { timeoutMs };

/** The policy and its parameters are in the header's own field. */
const steeringSettings = ({ udp, tcpSender }: SteeringSettings): Record<string, string | number> => ({
  'steering.udp': udp
    .map(({ fromMs, untilMs, kbps }) => `${fromMs}–${untilMs ?? '∞'}: ${kbps}`)
    .join(' ')
    .slice(0, 400),
  ...(tcpSender?.instrumented && {
    'steering.tcpSender.instrumented': formatSender(tcpSender.instrumented),
  }),
});

const formatSender = ({
  controller,
  emulatedConnections,
  tcpPacing,
  tlsRecords,
}: InstrumentedSender): string =>
  `${controller}${emulatedConnections === null ? '' : `-x${emulatedConnections}`}${tcpPacing ? ', paced' : ''}, TLS records ${tlsRecords}`;
