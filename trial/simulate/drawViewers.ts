import { seededNormals, seededRandom } from '../../src/analysis/statistics/random.ts';
import type { Trial } from '../design/trialFile.ts';
import { NETWORK_CLASSES, type NetworkClass, type Scenario } from './scenarios.ts';

/*
 * A parametric model of viewers, no player: hundreds of trials of thousands of sessions are drawn for one test. Each session has its
 * random numbers before it is assigned, so that what it would do over HTTP/3 and over TCP are both known.
 */

interface Network {
  readonly index: number;
  readonly of: NetworkClass;
  readonly isBlocked: boolean;
  /** Factor of the chance to stall. */
  readonly stall: number;
}

/** A session that may be assigned, with all that chance decides. */
export interface DrawnSession {
  readonly session: string;
  readonly viewer: string;
  readonly network: Network;
  /** Unix time of the start, ms. */
  readonly beganMs: number;
  readonly playedMs: number;
  /** Factor of the chance to stall: viewer, network, and hour. */
  readonly stall: number;
  /** Uniform draw that decides whether it stalls. */
  readonly stallDraw: number;
  /** Rebuffer rate if it stalls, %. */
  readonly stallPercent: number;
  /** Join time over TCP, ms. */
  readonly joinMs: number;
  /** Whether the viewer leaves before the first frame. */
  readonly leaves: boolean;
  readonly bitrateKbps: number;
  /** Uniform draw that decides whether the beacon is lost. */
  readonly lossDraw: number;
  /** Error of the viewer's clock, ms. */
  readonly clockErrorMs: number;
}

/** First day of simulated trials: a Monday. */
export const FIRST_MS = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface Draw {
  random(): number;
  normal(): number;
}

/**
 * Draws networks, viewers and their sessions, in the order of time.
 * @throws Error for a part of a day: its evening, or its night, would be missing
 */
export function drawViewers(
  trial: Trial,
  scenario: Scenario,
  { sessions, seed }: { readonly sessions: number; readonly seed: number },
): DrawnSession[] {
  const { days } = trial.stopping;
  if (!Number.isInteger(days))
    throw new Error(`Viewers are drawn by whole days, and not for ${days} of them.`);
  const normals = seededNormals(seed * 2 + 1);
  const draw: Draw = { random: seededRandom(seed * 2), normal: () => normals(1)[0]! };
  const count = Math.max(10, Math.round(sessions / scenario.sessionsPerNetwork));
  const networks = Array.from({ length: count }, (_, index) => drawNetwork(scenario, index, draw));
  const viewers = Array.from(
    { length: Math.max(2, Math.round(sessions / trial.expected.sessionsPerViewer)) },
    () => ({ network: networks[Math.floor(draw.random() * count)]!, stall: Math.exp(0.5 * draw.normal()) }),
  );
  const drawn = Array.from({ length: sessions }, (_, index) => {
    const at = Math.floor(draw.random() * viewers.length);
    return drawSession({ ...viewers[at]!, names: [`s-${seed}-${index}`, `v-${seed}-${at}`] }, trial, draw);
  });
  return drawn.sort((one, other) => one.beganMs - other.beganMs);
}

function drawNetwork({ blocked }: Scenario, index: number, { random, normal }: Draw): Network {
  let place = random();
  let kind = 0;
  while (kind < NETWORK_CLASSES.length - 1 && place >= NETWORK_CLASSES[kind]!.share)
    place -= NETWORK_CLASSES[kind++]!.share;
  const isBlocked = random() < blocked[kind]!;
  return { index, of: NETWORK_CLASSES[kind]!, isBlocked, stall: Math.exp(0.3 * normal()) };
}

interface Viewer {
  readonly network: Network;
  readonly stall: number;
  readonly names: readonly [session: string, viewer: string];
}

/** Evenings are busy: twice the sessions of the mean, and more stalls. */
function drawHour({ random }: Draw): number {
  for (;;) {
    const hour = 24 * random();
    if (2 * random() < busyness(hour)) return hour;
  }
}

const busyness = (hour: number): number => 1 + Math.cos(((hour - 20) / 12) * Math.PI);

function drawSession({ network, stall, names }: Viewer, { stopping }: Trial, draw: Draw): DrawnSession {
  const { random, normal } = draw;
  const hour = drawHour(draw);
  const day = Math.floor(random() * stopping.days);
  const joinMs = network.of.joinMs * Math.exp(0.5 * normal());
  return {
    session: names[0],
    viewer: names[1],
    network,
    beganMs: Math.floor(FIRST_MS + day * DAY_MS + hour * HOUR_MS),
    playedMs: Math.round(Math.min(2 * HOUR_MS, 30_000 - 15 * 60_000 * Math.log(1 - random()))),
    stall: stall * network.stall * (0.8 + 0.2 * busyness(hour)),
    stallDraw: random(),
    stallPercent: Math.min(60, network.of.stallPercent * Math.exp(0.7 * normal() - 0.245)),
    joinMs: Math.min(60_000, joinMs),
    leaves: random() < Math.min(0.5, joinMs / 40_000),
    bitrateKbps: Math.round(network.of.bitrateKbps * Math.exp(0.25 * normal())),
    lossDraw: random(),
    clockErrorMs: Math.round((random() < 0.02 ? HOUR_MS : 5000) * normal()),
  };
}
