/** Sessions of the player model with steering, over two pathways that share one link. */
import { decidableRules } from '../../abr/decidableRules.testing.ts';
import type { PolicedSpell } from '../../network/profile.ts';
import { pick } from '../../shared/registry.ts';
import { policyOf } from '../../steering/registry.ts';
import { valueOf } from '../../shared/result.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { Content } from '../content.ts';
import type { Scene } from '../model.ts';
import { eventsOf, only, steady, track } from './playByHand.testing.ts';
import { playerModelWith } from './playerModel.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

/** What the lab's origin sends first, and a queue of 100 packets. */
export const sender = { initialPackets: 32, queuePackets: 100 };
export const LADDER_KBPS = [80, 150, 300, 600, 1200];
export const SEGMENTS = 75;
export const SESSION_MS = 240_000;

/** Segments of 4 s whose size is that of their bitrate, without and with audio of 64 kbit/s. */
export const content: Content = only(
  track({
    ladder: LADDER_KBPS.map((bitrateKbps) => ({ bitrateKbps, width: null, height: null })),
    segmentMs: 4000,
    segments: SEGMENTS,
    sizesBytes: LADDER_KBPS.map((kbps) => Array<number>(SEGMENTS).fill(kbps * 500)),
    initBytes: LADDER_KBPS.map(() => 800),
  }),
);
export const withAudio: Content = {
  ...content,
  audio: track({
    ladder: [{ bitrateKbps: 64, width: null, height: null }],
    segmentMs: 4000,
    segments: SEGMENTS,
    sizesBytes: [Array<number>(SEGMENTS).fill(32_000)],
    initBytes: [700],
  }),
};

export const limiter = (kbps: number, fromMs = 0, untilMs: number | null = null): PolicedSpell => ({
  fromMs,
  untilMs,
  kbps,
});

export interface World extends Partial<Pick<Scene, 'content' | 'seed'>> {
  readonly rule?: string;
  readonly linkKbps?: number;
  readonly udp?: readonly PolicedSpell[];
  readonly settings?: Partial<PlayerModelSettings>;
}

export function sceneOf({ linkKbps = 3000, rule = 'throughput', ...given }: World): Scene {
  return { trace: steady(linkKbps), content, seed: 1, ...given, rule: pick(decidableRules, rule) };
}

export const modelOf = (policy: string | null, { udp = [], settings = {} }: World) =>
  playerModelWith({
    protocol: 'h3',
    rttMs: 50,
    sender,
    playMs: SESSION_MS,
    ...settings,
    steering: policy === null ? null : { policy: valueOf(policyOf(policy)), udp, tcpSender: sender },
  });

/** Plays with a policy, null: without steering. */
export const play = (policy: string | null, world: World = {}) =>
  modelOf(policy, world).record(sceneOf(world));

/** Mean bitrate of the segments on screen. */
export function meanKbps({ outcome }: ReturnType<typeof play>): number {
  const rungs = [...outcome.rungs];
  return rungs.reduce((sum, rung) => sum + LADDER_KBPS[rung]!, 0) / rungs.length;
}

/** One entry for each change of pathway, the first choice included. */
export function pathwaysOf({ log }: { readonly log: SessionLog }): { atMs: number; pathway: string }[] {
  const choices = eventsOf(log, 'steering');
  return choices
    .filter(({ fromPathway, pathway }) => fromPathway !== pathway)
    .map(({ atMs, pathway }) => ({ atMs, pathway }));
}
