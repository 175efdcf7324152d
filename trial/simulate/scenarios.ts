import type { Entry } from '../../src/shared/registry.ts';

/** A class of networks, with what sessions on it do over TCP. */
export interface NetworkClass {
  readonly name: string;
  /** Share of all networks. */
  readonly share: number;
  /** Chance that a session stalls at all. */
  readonly stallChance: number;
  /** Mean rebuffer rate of a session that stalls, %. */
  readonly stallPercent: number;
  /** Median join time, ms. */
  readonly joinMs: number;
  /** Median bitrate, kbit/s. */
  readonly bitrateKbps: number;
}

export const NETWORK_CLASSES: readonly NetworkClass[] = [
  { name: 'fixed', share: 0.5, stallChance: 0.08, stallPercent: 1.5, joinMs: 600, bitrateKbps: 5000 },
  { name: 'mobile', share: 0.35, stallChance: 0.18, stallPercent: 3, joinMs: 1100, bitrateKbps: 3000 },
  { name: 'poor', share: 0.15, stallChance: 0.45, stallPercent: 8, joinMs: 2500, bitrateKbps: 900 },
];

/** What is true of the viewers of a simulated trial. */
export interface Scenario extends Entry {
  readonly meaning: string;
  /** Chance to stall over HTTP/3, relative to TCP. */
  readonly stallFactor: number;
  /** Join time over HTTP/3, relative to TCP. */
  readonly joinFactor: number;
  /** Share of networks of each class, in their order, that block UDP: there HTTP/3 falls back to TCP. */
  readonly blocked: readonly [fixed: number, mobile: number, poor: number];
  /** Weight of an HTTP/3 flow at a shared bottleneck, a TCP flow having 1. */
  readonly weight: number;
  /** Shares of beacons that are lost. */
  readonly lost: { readonly h3: number; readonly tcp: number };
  /** Mean number of sessions of one network over the whole trial. */
  readonly sessionsPerNetwork: number;
}

const plain = {
  stallFactor: 1,
  joinFactor: 1,
  blocked: [0.02, 0.02, 0.02],
  weight: 1,
  lost: { h3: 0.03, tcp: 0.03 },
  sessionsPerNetwork: 40,
} as const;

/** Populations with known truth. The parameters are chosen to show one thing each; they are no measurement of the internet. */
export const scenarios: readonly Scenario[] = [
  {
    ...plain,
    id: 'usual',
    label: 'usual viewers',
    meaning: 'HTTP/3 stalls 15 % less often and joins 8 % sooner; half of the poor networks block UDP',
    stallFactor: 0.85,
    joinFactor: 0.92,
    blocked: [0.02, 0.03, 0.5],
  },
  { ...plain, id: 'aa', label: 'A/A', meaning: 'both arms do the same' },
  {
    ...plain,
    id: 'effect',
    label: 'planted effect',
    meaning: 'HTTP/3 stalls 20 % less often; UDP is blocked for 2 % of all networks',
    stallFactor: 0.8,
  },
  {
    ...plain,
    id: 'selection',
    label: 'selection',
    meaning: 'HTTP/3 changes nothing, and 60 % of the poor networks block UDP',
    blocked: [0.01, 0.02, 0.6],
  },
  {
    ...plain,
    id: 'bottleneck',
    label: 'shared bottlenecks',
    meaning:
      'HTTP/3 changes nothing when all use it, but takes 1.6 times the rate of a TCP flow on the same link; many sessions share a link',
    weight: 1.6,
    blocked: [0, 0, 0],
    sessionsPerNetwork: 2000,
  },
  {
    ...plain,
    id: 'loss',
    label: 'lost beacons',
    meaning: 'both arms do the same, and the HTTP/3 arm loses 2 % more of its beacons',
    lost: { h3: 0.05, tcp: 0.03 },
  },
];
