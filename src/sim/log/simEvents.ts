import type { MediaType, RuleEvent, SizesEvent } from '../../abr/rule.ts';
import type {
  Draft,
  LadderEvent,
  ManifestEvent,
  RuleInUseEvent,
  PlaybackEvent,
  SwitchEvent,
  MissingReason,
} from '../../telemetry/event.ts';
import type { Track, Content } from '../content.ts';
import type { Scene } from '../model.ts';

/** What stands at the start of every log: what there is to play, and who decides. `live` has no end. */
export function openingEvents(
  { content, rule, seed }: Scene,
  live: boolean,
): Draft<ManifestEvent | LadderEvent | RuleInUseEvent>[] {
  const { video, audio } = content;
  const manifest = {
    kind: 'manifest' as const,
    atMs: 0,
    url: manifestUrl(content),
    type: live ? ('dynamic' as const) : ('static' as const),
    lowLatency: false,
    durationMs: live ? null : video.segments * video.segmentMs,
    minBufferMs: null,
    periods: 1,
  };
  return [
    { ...manifest, missing: reasonsFor(manifest) },
    ladderEvent('video', video),
    ...(audio ? [ladderEvent('audio', audio)] : []),
    ruleEvent({ rule, seed }, 0),
  ];
}

/** A rule begins, or begins anew. */
export const ruleEvent = (
  { rule, seed }: Pick<Scene, 'rule' | 'seed'>,
  atMs: number,
): Draft<RuleInUseEvent> => ({
  kind: 'rule',
  atMs,
  rule: rule.id,
  parameters: { ...rule.parameters },
  seed,
  missing: {},
});

function ladderEvent(mediaType: MediaType, { ladder, segmentMs }: Track): Draft<LadderEvent> {
  return {
    kind: 'ladder',
    atMs: 0,
    mediaType,
    periodId: PERIOD_ID,
    language: null,
    segmentMs,
    rungs: ladder.map((rung, index) => ({
      ...rung,
      representationId: representationId(mediaType, index),
      codecs: '',
    })),
    missing: { language: 'not-applicable' },
  };
}

/** A state of playback as the log takes it; `liveLatencyMs` is null for what is not live. */
export function playbackDraft(
  state: PlaybackEvent['state'],
  at: { atMs: number; playheadMs: number; liveLatencyMs?: number | null },
): Draft<PlaybackEvent> {
  const { atMs, playheadMs, liveLatencyMs = null } = at;
  return {
    kind: 'playback',
    atMs,
    state,
    playheadMs,
    playbackRate: 1,
    liveLatencyMs,
    missing: liveLatencyMs === null ? { liveLatencyMs: 'not-applicable' } : {},
  };
}

interface Change {
  readonly atMs: number;
  readonly mediaType: MediaType;
  /** Rung before the switch; null for the first one. */
  readonly fromRung: number | null;
  readonly toRung: number;
}

/** Makes the event of a switch that was decided. */
export const switchRequested = (change: Change, track: Track, reason: string): Draft<SwitchEvent> =>
  switchDraft('requested', change, track, reason);

/** Makes the event of a switch whose level the playhead entered. */
export const switchRendered = (change: Change, track: Track): Draft<SwitchEvent> =>
  switchDraft('rendered', change, track, 'The playhead entered the new level.');

function switchDraft(
  phase: SwitchEvent['phase'],
  change: Change,
  { ladder }: Track,
  reason: string,
): Draft<SwitchEvent> {
  return {
    kind: 'switch',
    phase,
    ...change,
    bitrateKbps: ladder[change.toRung]!.bitrateKbps,
    reason,
    missing: change.fromRung === null ? { fromRung: 'not-applicable' } : {},
  };
}

/** What a rule in a simulator knows when it begins, as events: the ladder, and each rung's sizes. */
export const knownFromStart = (track: Track): RuleEvent[] => [
  { kind: 'ladder', atMs: 0, ladder: track.ladder, segmentMs: track.segmentMs },
  ...tabledSizes(track, 0),
];

/** All sizes of a track, which a simulator knows before it begins. */
export const tabledSizes = ({ sizesBytes }: Track, atMs: number): SizesEvent[] =>
  sizesBytes.map((sizes, rung) => ({
    kind: 'sizes',
    atMs,
    from: 'table',
    rung,
    firstSegment: 0,
    sizesBytes: sizes,
  }));

/** The nulls of an event, each with the reason that it has no meaning in a simulation, or the one given. */
export function reasonsFor(
  fields: object,
  reasons: Readonly<Record<string, MissingReason>> = {},
): Record<string, MissingReason> {
  const missing: Record<string, MissingReason> = {};
  for (const [name, value] of Object.entries(fields))
    if (value === null) missing[name] = reasons[name] ?? 'not-applicable';
  return missing;
}

/** A simulated presentation has one period. */
export const PERIOD_ID = 'p0';

/** Returns the manifest's URL, with a scheme that nobody can fetch: nothing was fetched. */
export const manifestUrl = ({ name }: Content): string => `sim://${encodeURIComponent(name)}`;

/** Returns the base URL of a pathway; that of `main` is the manifest's. */
export const pathwayUrl = (content: Content, pathway: string): string =>
  pathway === 'main' ? manifestUrl(content) : `sim://${pathway}.${encodeURIComponent(content.name)}`;

export const representationId = (mediaType: MediaType, rung: number): string => `${mediaType}-${rung}`;
