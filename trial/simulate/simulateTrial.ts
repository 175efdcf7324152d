import { assign, drawKeyOf, periodAt, type Hash } from '../../src/shared/assignment.ts';
import { BEACON_SCHEMA, type Beacon } from '../../src/telemetry/schema/trialBeacon.ts';
import { decodeBeacons, encodeBeacons, hashId, storedSession } from '../design/beacon.ts';
import type { AssignmentRow, FieldSession, TrialData } from '../design/fieldSession.ts';
import { defaultArm, otherArms, type Trial } from '../design/trialFile.ts';
import { trialMetrics } from '../design/trialMetrics.ts';
import { networkOf, sha256 } from '../store/hash.ts';
import { meanOf } from '../../src/analysis/statistics/summaries.ts';
import { groupBy } from '../../src/shared/groupBy.ts';
import { bytesOf } from '../../src/shared/units.ts';
import { valueOf } from '../../src/shared/result.ts';
import { drawViewers, type DrawnSession } from './drawViewers.ts';
import type { Scenario } from './scenarios.ts';

/** A simulated trial, with what is true of its viewers. */
export interface SimulatedTrial {
  readonly data: TrialData;
  /** Mean of what every session would do if all were assigned the first arm that is not the default, less if all were assigned the default; by metric. */
  readonly truth: Readonly<Record<string, number | null>>;
}

/** What a session meets: whether it rides HTTP/3, and its rate relative to an equal share of the link. */
interface Ride {
  readonly isH3: boolean;
  readonly rate: number;
}

/** How much more often a session stalls that has less of the link: its rate to this power. */
const ELASTICITY = 2;

/** Plays a trial: draws viewers, assigns them, lets them share links, and sends their beacons through the real formats. */
export function simulateTrial(
  trial: Trial,
  scenario: Scenario,
  { sessions, seed }: { readonly sessions: number; readonly seed: number },
): SimulatedTrial {
  const drawn = drawViewers(trial, scenario, { sessions, seed });
  const hash = rememberHashes();
  const arms = new Map(trial.arms.map(({ pathway, transport }) => [pathway, transport]));
  const draw = { key: drawKeyOf(trial.salt, hash), unit: trial.unit, arms: trial.arms };
  const assigned = drawn.map((each) => assign(draw, each, hash)!);
  const wantsH3 = assigned.map(({ arm }) => arms.get(arm.pathway) === 'h3');
  const ridesH3 = wantsH3.map((wants, index) => wants && !drawn[index]!.network.isBlocked);
  const rates = ratesOf(drawn, ridesH3, scenario);
  const stored: FieldSession[] = [];
  for (const [index, each] of drawn.entries()) {
    if (each.lossDraw < scenario.lost[wantsH3[index] ? 'h3' : 'tcp']) continue;
    const beacon = beaconOf(trial, each, { scenario, ride: { isH3: ridesH3[index]!, rate: rates[index]! } });
    stored.push(receive(trial, each, { beacon, hash }));
  }
  const assignments = drawn.map((each, index) =>
    assignmentRow(trial, each, { arm: assigned[index]!.arm.pathway, hash }),
  );
  return { data: { sessions: stored, assignments, switches: [] }, truth: truthOf(trial, scenario, drawn) };
}

/** Ids are hashed for the assignment and again for the beacon. */
function rememberHashes(): Hash {
  const known = new Map<string, Uint8Array>();
  return (text) => {
    const digest = known.get(text) ?? sha256(text);
    known.set(text, digest);
    return digest;
  };
}

/** The sessions go through the body of a request and back, as in the collector. */
function receive(
  trial: Trial,
  { network, beganMs, playedMs }: DrawnSession,
  { beacon, hash }: { readonly beacon: Beacon; readonly hash: Hash },
): FieldSession {
  const [read] = valueOf(decodeBeacons(encodeBeacons([beacon]), trial)) as [Beacon];
  return storedSession(trial, read, {
    receivedMs: beganMs + playedMs,
    network: networkOf(trial, addressOf(network.index), hash),
    hash,
  });
}

/** An address in a /24 of its own for each network, from the block of benchmarks (RFC 2544). */
const addressOf = (network: number): string => {
  const block = network % 65_536;
  return `${198 + Math.floor(network / 65_536)}.${block >> 8}.${block & 255}.7`;
};

function assignmentRow(
  trial: Trial,
  { session, viewer, beganMs }: DrawnSession,
  { arm, hash }: { readonly arm: string; readonly hash: Hash },
): AssignmentRow {
  return {
    atMs: beganMs,
    session: hashId(trial, { kind: 'session', id: session }, hash),
    viewer: hashId(trial, { kind: 'viewer', id: viewer }, hash),
    arm,
    period: trial.unit.kind === 'switchback' ? periodAt(trial, beganMs) : null,
  };
}

function beaconOf(trial: Trial, drawn: DrawnSession, about: { scenario: Scenario; ride: Ride }): Beacon {
  const { ride } = about;
  const { network, leaves, playedMs, beganMs, clockErrorMs, session, viewer } = drawn;
  const bitrateKbps = Math.round(drawn.bitrateKbps * ride.rate);
  const bytes = leaves ? FIRST_BYTES : Math.round(bytesOf(bitrateKbps, playedMs));
  return {
    schema: BEACON_SCHEMA,
    trial: trial.name,
    session,
    viewer,
    startedMs: beganMs + clockErrorMs,
    ...(leaves ? leftEarly(drawn) : playedOf(drawn, about)),
    bitrateKbps: leaves ? null : bitrateKbps,
    h3Bytes: ride.isH3 ? bytes : 0,
    tcpBytes: ride.isH3 ? 0 : bytes,
    networkClass: network.of.name,
  };
}

/** Media that a viewer who leaves before the first frame has received. */
const FIRST_BYTES = 200_000;

type Played = Pick<Beacon, 'joinMs' | 'playedMs' | 'stalledMs' | 'stalls' | 'errors'>;

const leftEarly = ({ stallDraw }: DrawnSession): Played => ({
  joinMs: null,
  playedMs: 0,
  stalledMs: 0,
  stalls: 0,
  errors: stallDraw < 0.1 ? 1 : 0,
});

function playedOf(drawn: DrawnSession, about: { scenario: Scenario; ride: Ride }): Played {
  const percent = stallPercentOf(drawn, about);
  return {
    joinMs: Math.round(drawn.joinMs * (about.ride.isH3 ? about.scenario.joinFactor : 1)),
    playedMs: drawn.playedMs,
    stalledMs: Math.round((drawn.playedMs * percent) / (100 - percent)),
    stalls: percent === 0 ? 0 : 1 + Math.floor(percent / 4),
    errors: 0,
  };
}

function stallPercentOf(
  { network, stall, stallDraw, stallPercent }: DrawnSession,
  { scenario, ride }: { scenario: Scenario; ride: Ride },
): number {
  const factor = (ride.isH3 ? scenario.stallFactor : 1) * ride.rate ** -ELASTICITY;
  return stallDraw < Math.min(0.95, network.of.stallChance * stall * factor) ? stallPercent : 0;
}

/** Time in which flows are counted together, ms. */
const SLOT_MS = 5 * 60_000;

/**
 * Rates relative to an equal share of the link: with a share s of HTTP/3 flows of weight w, an HTTP/3 flow has w / (s·w + 1 − s) and a TCP
 * flow 1 / (s·w + 1 − s); the mean over the time of the session. Alone, or all alike, each has 1.
 */
function ratesOf(
  drawn: readonly DrawnSession[],
  ridesH3: readonly boolean[],
  { weight }: Scenario,
): number[] {
  if (weight === 1) return drawn.map(() => 1);
  const rates = new Array<number>(drawn.length).fill(1);
  const byNetwork = groupBy(drawn.keys(), (index) => drawn[index]!.network.index);
  for (const indices of byNetwork.values()) {
    const flows = new Map<number, { h3: number; all: number }>();
    const slotsOf = (index: number): number[] => {
      const { beganMs, playedMs } = drawn[index]!;
      const first = Math.floor(beganMs / SLOT_MS);
      const last = Math.floor((beganMs + playedMs) / SLOT_MS);
      return Array.from({ length: last - first + 1 }, (_, step) => first + step);
    };
    for (const index of indices)
      for (const slot of slotsOf(index)) {
        const { h3, all } = flows.get(slot) ?? { h3: 0, all: 0 };
        flows.set(slot, { h3: h3 + (ridesH3[index] ? 1 : 0), all: all + 1 });
      }
    for (const index of indices) {
      const own = ridesH3[index] ? weight : 1;
      rates[index] = meanOf(
        slotsOf(index).map((slot) => {
          const { h3, all } = flows.get(slot)!;
          return own / ((h3 * weight + all - h3) / all);
        }),
      )!;
    }
  }
  return rates;
}

/** What would be if all had one arm: nobody has a larger share of a link then. */
function truthOf(trial: Trial, scenario: Scenario, drawn: readonly DrawnSession[]): SimulatedTrial['truth'] {
  const transports = [otherArms(trial)[0]!, defaultArm(trial)].map(({ transport }) => transport);
  const [treated, control] = transports.map((transport) =>
    drawn.map((each) => {
      const ride = { isH3: transport === 'h3' && !each.network.isBlocked, rate: 1 };
      return beaconOf(trial, each, { scenario, ride });
    }),
  ) as [Beacon[], Beacon[]];
  return Object.fromEntries(
    trialMetrics.map((metric) => {
      const differences = treated.flatMap((session, index) => {
        const [one, other] = [metric.of(session), metric.of(control[index]!)];
        return one === null || other === null ? [] : [one - other];
      });
      return [metric.id, meanOf(differences)];
    }),
  );
}
