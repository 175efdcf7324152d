import { eventsOf } from '../../analysis/timeline/log.ts';
import type { EventOf } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { QlogEvent } from './hasEvents.ts';

type Playback = EventOf<'playback'>;

/** What the viewer did and saw: qlog-has, "Playback events". */
export const playbackEvents = (log: SessionLog): QlogEvent[] => [
  { time: 0, name: 'playback:stream_initialised', data: { autoplay: isAutoplay(log) } },
  ...eventsOf(log, 'manifest').map(({ atMs, url, durationMs }) => ({
    time: atMs,
    name: 'playback:metadata_loaded',
    data: { protocol: 'DASH', url, ...(durationMs !== null && { media_duration: durationMs }) },
  })),
  ...eventsOf(log, 'playback').flatMap(ofState),
  ...eventsOf(log, 'seek').map(({ atMs, fromMs, toMs, waitMs }) => ({
    time: atMs,
    name: 'playback:player_interaction',
    data: { state: 'seek', playhead: { ms: fromMs }, target: { ms: toMs }, wait_ms: waitMs },
  })),
  ...eventsOf(log, 'stall').map(({ atMs, playheadMs, durationMs }) => ({
    time: atMs,
    name: 'playback:stall',
    data: { playhead: { ms: playheadMs }, duration_ms: durationMs },
  })),
];

/** Play was asked for before there was a manifest to press a button for. */
function isAutoplay(log: SessionLog): boolean {
  const asked = eventsOf(log, 'playback').find(({ state }) => state === 'play-requested');
  const [manifest] = eventsOf(log, 'manifest');
  return asked !== undefined && (manifest === undefined || asked.atMs < manifest.atMs);
}

function ofState({ state, atMs: time, playheadMs, playbackRate }: Playback): QlogEvent[] {
  const playhead = { ms: playheadMs };
  const interaction = INTERACTIONS[state];
  const seen = STATES[state];
  const other = OTHERS[state];
  return [
    ...(interaction === undefined
      ? []
      : [
          {
            time,
            name: 'playback:player_interaction',
            data: { state: interaction, playhead, playback_rate: playbackRate },
          },
        ]),
    ...(seen === undefined ? [] : [{ time, name: 'playback:player_state', data: { state: seen, playhead } }]),
    ...(other === undefined ? [] : [{ time, name: other, data: { playhead } }]),
  ];
}

type States = Readonly<Partial<Record<Playback['state'], string>>>;

const INTERACTIONS: States = { 'play-requested': 'play', paused: 'pause', rate: 'playback_rate' };
const STATES: States = { playing: 'playing', paused: 'paused', stopped: 'stopped', ended: 'stopped' };
const OTHERS: States = { sample: 'playback:playhead_progress', ended: 'playback:stream_end' };
