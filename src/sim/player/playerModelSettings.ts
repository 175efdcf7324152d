import type { PolicedSpell } from '../../network/profile.ts';
import { isUdpBlockedForEver } from '../../network/udpPath.ts';
import type { SteeringPolicy } from '../../steering/policy.ts';
import type { SenderSettings } from './congestionWindow.ts';

/**
 * What can be set about the player model. The defaults are the lab's preset `experiment` over h2: one buffer target,
 * the lowest rung first, each init segment loaded once. Only the time-out of requests is not that of the preset.
 */
export interface PlayerModelSettings {
  /** Decides the handshake of a cold connection and whether requests share one. */
  readonly protocol: 'h1' | 'h2' | 'h3';
  /** A resumed session that sends its request with the handshake: TLS 1.3 early data, QUIC 0-RTT. */
  readonly earlyData: boolean;
  /** Most connections at a time; null is what browsers do: 6 for h1, 1 for h2 and h3. */
  readonly connections: number | null;
  /** Round-trip time, ms; null is the trace's own, or 80 (as in the chunk model) where it has none. */
  readonly rttMs: number | null;
  /** Share of the trace's rate that carries bodies; null: what the headers of the protocol leave (`payloadOf`). */
  readonly payload: number | null;
  /** How connections send, share the path's queue and lose packets; null: they send whatever the path takes. */
  readonly sender: SenderSettings | null;
  /** A player that has nothing to request looks again after this long (dash.js, scheduling.defaultTimeout). */
  readonly pollMs: number;
  /** Request while `level + segment < target` (dash.js, bufferTimeDefault), ms. */
  readonly bufferTargetMs: number;
  /** Value of `bufferTargetMs` while the newest rung is the highest (dash.js, bufferTimeAtTopQuality), ms. */
  readonly bufferTargetAtTopMs: number;
  /** The rung that a track is set to before its rule is asked; on a shorter ladder the highest. */
  readonly startRung: number;
  /** False: an init segment is loaded at every switch (dash.js' default). True: once per rung. */
  readonly cacheInitSegments: boolean;
  /**
   * How long a request of a track may take before it is given up and repeated, ms (dash.js, fragmentRequestTimeout; the preset
   * has 120 s). null: however long it takes, so that every segment of a score is played.
   */
  readonly timeoutMs: number | null;
  /** When play is requested, ms of session time; the trace runs from 0 on. */
  readonly playAtMs: number;
  /** The session ends so long after its first frame, ms; null: with the video. */
  readonly playMs: number | null;
  /** null: all of the video is there. Else it is being made, and play begins `delayMs` behind its edge. */
  readonly live: { readonly delayMs: number } | null;
  /** What the viewer does: at this session time, or when the picture first moves if that is later, jump to `toMs`. */
  readonly seeks: readonly { readonly atMs: number; readonly toMs: number }[];
  /** null: there is one pathway, and nothing chooses. */
  readonly steering: SteeringSettings | null;
}

/**
 * Two pathways over the same bottleneck (`pathways.ts`), and what chooses between them. The settings above are those of
 * `main`; `tcp` has one connection of h2.
 */
export interface SteeringSettings {
  readonly policy: SteeringPolicy;
  /** What the path does to UDP alone, in session time: `main` meets it over h3, `tcp` does not. */
  readonly udp: readonly PolicedSpell[];
  /** How the connection of `tcp` sends; null as `sender`. */
  readonly tcpSender: SenderSettings | null;
}

export const playerModelDefaults: PlayerModelSettings = {
  protocol: 'h2',
  earlyData: false,
  connections: null,
  rttMs: null,
  payload: null,
  sender: null,
  pollMs: 500,
  bufferTargetMs: 20_000,
  bufferTargetAtTopMs: 20_000,
  startRung: 0,
  cacheInitSegments: true,
  timeoutMs: null,
  playAtMs: 0,
  playMs: null,
  live: null,
  seeks: [],
  steering: null,
};

/** One sentence on the first setting that no session can be played with; null when there is none. */
export function faultOfSettings(settings: PlayerModelSettings): string | null {
  const bad = numbersOf(settings).find(([, value, limits]) => !isWithin(value, limits));
  if (!bad) return faultOfUdp(settings);
  const [name, value, { from, to, whole }] = bad;
  const wanted = `${whole ? 'a whole number' : 'a number'} from ${from}${to === undefined ? '' : ` to ${to}`}`;
  return `${name} of the player model is ${value}; it must be ${wanted}.`;
}

/** Without an end of the block a session over h3 has none either. */
function faultOfUdp({ steering }: PlayerModelSettings): string | null {
  return steering && isUdpBlockedForEver(steering)
    ? 'steering.udp of the player model blocks UDP without an end.'
    : null;
}

interface Limits {
  readonly from: number;
  readonly to?: number;
  readonly whole?: boolean;
}

/** null where a setting says "as usual". */
function numbersOf(settings: PlayerModelSettings): [name: string, value: number | null, limits: Limits][] {
  const { connections, rttMs, payload, pollMs, bufferTargetMs, bufferTargetAtTopMs, startRung } = settings;
  const { playAtMs, playMs, sender } = settings;
  return [
    ['connections', connections, { from: 1, whole: true }],
    ['rttMs', rttMs, { from: 0 }],
    ['payload', payload, { from: 0.01, to: 1 }],
    ['sender.initialPackets', sender && sender.initialPackets, { from: 1, whole: true }],
    ['sender.queuePackets', sender && sender.queuePackets, { from: 1, whole: true }],
    ['sender.lossSeed', sender?.lossSeed ?? null, { from: 0, to: 2 ** 32 - 1, whole: true }],
    [
      'sender.instrumented.emulatedConnections',
      sender?.instrumented?.emulatedConnections ?? null,
      { from: 1, to: 100, whole: true },
    ],
    ['pollMs', pollMs, { from: 1 }],
    ['bufferTargetMs', bufferTargetMs, { from: 1 }],
    ['bufferTargetAtTopMs', bufferTargetAtTopMs, { from: 1 }],
    ['timeoutMs', settings.timeoutMs, { from: 1 }],
    ['startRung', startRung, { from: 0, whole: true }],
    ['playAtMs', playAtMs, { from: 0 }],
    ['playMs', playMs, { from: 1 }],
    ['live.delayMs', settings.live && settings.live.delayMs, { from: 0 }],
    ...settings.seeks.flatMap(({ atMs, toMs }): [string, number, Limits][] => [
      ['atMs of a seek', atMs, { from: 0 }],
      ['toMs of a seek', toMs, { from: 0 }],
    ]),
    ...numbersOfUdp(settings),
  ];
}

function numbersOfUdp({ steering }: PlayerModelSettings): [string, number | null, Limits][] {
  return (steering?.udp ?? []).flatMap(({ fromMs, untilMs, kbps }): [string, number | null, Limits][] => [
    ['fromMs of a limit of UDP', fromMs, { from: 0 }],
    ['untilMs of a limit of UDP', untilMs, { from: 0 }],
    ['kbps of a limit of UDP', kbps, { from: 0 }],
  ]);
}

function isWithin(value: number | null, { from, to = Infinity, whole = false }: Limits): boolean {
  if (value === null) return true;
  return Number.isFinite(value) && value >= from && value <= to && (!whole || Number.isInteger(value));
}
