/**
 * A small world in which policies are tested: one link, two pathways, requests in steps of 100 ms. Flows share the link
 * evenly, and those with HTTP/3 pass a policer. It has no slow start and no packets: those are the simulator's and the lab's.
 * A connection of QUIC ends after 30 s without a request. The next request on its pathway then comes over TCP, as in a
 * browser that races both.
 */
import type { Pathway, Purpose, SteeringAnswer, SteeringPolicy } from './policy.ts';
import { createSteeringRunner, type SteeringRunner } from './steeringSession.ts';

export const PATHWAYS: readonly Pathway[] = [
  { id: 'main', carries: 'any' },
  { id: 'tcp', carries: 'tcp' },
];

export interface World {
  /** Rate of the link, in kbit/s. */
  readonly linkKbps: (atMs: number) => number;
  /** What QUIC gets at most, in kbit/s. */
  readonly quicKbps?: (atMs: number) => number;
  readonly tcpKbps?: (atMs: number) => number;
  readonly seconds?: number;
  readonly ladderKbps?: readonly number[];
  readonly rttMs?: number;
}

/** What a session showed. */
export interface Played {
  /** One entry for each change of pathway, the first one included. */
  readonly uses: readonly Use[];
  /** When a running segment was continued on the other pathway, in ms. */
  readonly rescues: readonly number[];
  readonly probes: readonly ProbeBytes[];
  readonly mediaBytes: number;
  readonly segments: readonly Segment[];
  readonly stalledMs: number;
  readonly faults: readonly unknown[];
}

interface Use {
  readonly atMs: number;
  readonly pathway: string;
  readonly because: string;
  readonly keepsHistory: boolean;
}

interface ProbeBytes {
  readonly atMs: number;
  readonly pathway: string;
  readonly bytes: number;
}

interface Segment {
  readonly atMs: number;
  readonly kbps: number;
  readonly pathway: string;
}

const DEFAULTS = {
  quicKbps: () => Infinity,
  tcpKbps: () => Infinity,
  seconds: 180,
  ladderKbps: [80, 150, 300, 600, 1200],
  rttMs: 50,
};

const STEP_MS = 100;
const SEGMENT_MS = 4000;
/** No segment is requested while the buffer is as long as this. */
const TARGET_MS = 20_000;
const POLICER_BURST_BYTES = 16_000;
/** A policy is asked so often while requests run, but not at the start of a segment. */
const ASK_EVERY_MS = 200;
const FIRST_ASK_MS = 400;
/** On a pathway without a connection, the first byte takes so many round trips. */
const COLD_ROUND_TRIPS = 3;
const QUIC_IDLE_MS = 30_000;

interface Transfer {
  readonly requestId: string;
  readonly pathway: string;
  readonly purpose: Purpose;
  readonly isQuic: boolean;
  readonly startMs: number;
  readonly firstByteAtMs: number;
  readonly totalBytes: number;
  bytes: number;
}

/** A session while it is played: the functions below change it. */
interface Playback {
  readonly world: Required<World>;
  readonly runner: SteeringRunner;
  nowMs: number;
  /** The pathway of the next request. */
  pathway: string;
  bufferMs: number;
  running: Transfer[];
  requestCount: number;
  /** Pathways with a connection. */
  readonly connected: Set<string>;
  /** When the pathway with HTTP/3 last had a request; 0 before the first. */
  quicUsedMs: number;
  /** What the policer lets pass at once. */
  burstBytes: number;
  /** Rate of the last segment. */
  estimateKbps: number;
  /** Bitrate and start of the present segment. */
  segmentKbps: number;
  segmentStartMs: number;
  /** What is returned at the end. */
  readonly uses: Use[];
  readonly rescues: number[];
  readonly probes: ProbeBytes[];
  readonly segments: Segment[];
  readonly faults: unknown[];
  mediaBytes: number;
  stalledMs: number;
}

/** Plays a session with a policy. */
export function playWorld(policy: SteeringPolicy, world: World): Played {
  const playback = startPlayback(policy, { ...DEFAULTS, ...world });
  while (playback.nowMs < playback.world.seconds * 1000) {
    if (isSegmentDue(playback)) requestSegment(playback);
    playback.nowMs += STEP_MS;
    carryBytes(playback);
    drainBuffer(playback);
    endComplete(playback);
    if (isAnswerDue(playback)) askInFlight(playback);
  }
  const { uses, rescues, probes, mediaBytes, segments, stalledMs, faults } = playback;
  return { uses, rescues, probes, mediaBytes, segments, stalledMs, faults };
}

function startPlayback(policy: SteeringPolicy, world: Required<World>): Playback {
  const faults: unknown[] = [];
  const context = { pathways: PATHWAYS, seed: 1 };
  return {
    world,
    runner: createSteeringRunner(policy, context, (fault) => faults.push(fault)),
    nowMs: 0,
    pathway: 'main',
    bufferMs: 0,
    running: [],
    requestCount: 0,
    connected: new Set(),
    quicUsedMs: 0,
    burstBytes: POLICER_BURST_BYTES,
    estimateKbps: 0,
    segmentKbps: 0,
    segmentStartMs: 0,
    uses: [],
    rescues: [],
    probes: [],
    segments: [],
    faults,
    mediaBytes: 0,
    stalledMs: 0,
  };
}

const isSegmentDue = ({ running, bufferMs }: Playback): boolean =>
  bufferMs < TARGET_MS && !running.some(({ purpose }) => purpose === 'media');

function requestSegment(playback: Playback): void {
  const { world, estimateKbps, nowMs } = playback;
  const { ladderKbps } = world;
  playback.segmentKbps = ladderKbps.findLast((kbps) => kbps <= 0.9 * estimateKbps) ?? ladderKbps[0]!;
  playback.segmentStartMs = nowMs;
  followAnswer(playback, ask(playback));
  const { pathway, segmentKbps } = playback;
  begin(playback, 'media', { pathway, totalBytes: (segmentKbps * SEGMENT_MS) / 8 });
}

function begin(
  playback: Playback,
  purpose: Purpose,
  { pathway, totalBytes }: Pick<Transfer, 'pathway' | 'totalBytes'>,
): void {
  const { connected, nowMs, probes, running, runner, world } = playback;
  playback.requestCount += 1;
  const requestId = `request-${playback.requestCount}`;
  const firstByteAtMs = nowMs + world.rttMs * (connected.has(pathway) ? 1 : COLD_ROUND_TRIPS);
  connected.add(pathway);
  const isQuic = pathway === 'main' && nowMs - playback.quicUsedMs < QUIC_IDLE_MS;
  if (pathway === 'main') playback.quicUsedMs = nowMs;
  const times = { startMs: nowMs, firstByteAtMs };
  running.push({ requestId, pathway, purpose, isQuic, ...times, totalBytes, bytes: 0 });
  runner.tell({ kind: 'began', atMs: nowMs, requestId, pathway, purpose });
  if (purpose === 'probe') probes.push({ atMs: nowMs, pathway, bytes: 0 });
}

function end(playback: Playback, transfer: Transfer, outcome: 'ok' | 'aborted'): void {
  const { probes, nowMs } = playback;
  const { requestId, pathway, purpose, startMs, firstByteAtMs, bytes } = transfer;
  playback.running = playback.running.filter((each) => each !== transfer);
  if (transfer.isQuic) playback.quicUsedMs = nowMs;
  if (purpose === 'probe') probes.push({ ...probes.pop()!, bytes });
  else playback.mediaBytes += bytes;
  playback.runner.tell({
    kind: 'ended',
    atMs: nowMs,
    requestId,
    pathway,
    purpose,
    outcome,
    bytes: Math.round(bytes),
    startMs,
    firstByteMs: bytes > 0 ? firstByteAtMs : null,
    lastByteMs: nowMs,
    protocol: null,
    connectionReused: true,
  });
}

function ask({ world, runner, nowMs, pathway, bufferMs, running }: Playback): SteeringAnswer {
  const [lowestKbps, highestKbps] = [world.ladderKbps[0]!, world.ladderKbps.at(-1)!];
  return runner.ask({
    nowMs,
    pathway,
    bufferMs,
    lowestKbps,
    highestKbps,
    running: running.map(({ requestId, pathway, purpose, bytes, totalBytes }) => ({
      requestId,
      pathway,
      purpose,
      bytes,
      totalBytes,
    })),
  });
}

/** Does what a policy answered, as the player does. */
function followAnswer(
  playback: Playback,
  { pathway, because, rescue, endProbe, probe, keepsHistory = false }: SteeringAnswer,
): void {
  const { uses, nowMs } = playback;
  if (pathway !== playback.pathway || uses.length === 0)
    uses.push({ atMs: nowMs, pathway, because, keepsHistory });
  playback.pathway = pathway;
  const rescued = runningWith(playback, rescue);
  if (rescued) continueOverPathway(playback, rescued);
  const shown = runningWith(playback, endProbe);
  if (shown) end(playback, shown, 'aborted');
  if (probe && !playback.running.some(({ purpose }) => purpose === 'probe'))
    begin(playback, 'probe', { pathway: probe.pathway, totalBytes: probe.bytes });
}

const runningWith = ({ running }: Playback, id: string | undefined): Transfer | undefined =>
  running.find(({ requestId }) => requestId === id);

/** Aborts a media request, and requests what is missing of it over the present pathway. */
function continueOverPathway(playback: Playback, transfer: Transfer): void {
  end(playback, transfer, 'aborted');
  playback.rescues.push(playback.nowMs);
  const { pathway } = playback;
  begin(playback, 'media', { pathway, totalBytes: transfer.totalBytes - transfer.bytes });
}

const bytesPerStep = (kbps: number): number => (kbps * STEP_MS) / 8;

/** Carries the bytes of one step. Each flow has an equal share of the link, and what those before it did not take. */
function carryBytes(playback: Playback): void {
  const { world, nowMs, running } = playback;
  // Media first, so that a probe takes what media leaves.
  running.sort((one, other) => (one.purpose === other.purpose ? 0 : one.purpose === 'media' ? -1 : 1));
  const live = running.filter(({ firstByteAtMs }) => firstByteAtMs <= nowMs);
  const quicCount = live.filter(({ isQuic }) => isQuic).length;
  const quicBytes = bytesPerStep(world.quicKbps(nowMs));
  const shareBytes = bytesPerStep(world.linkKbps(nowMs)) / Math.max(1, live.length);
  playback.burstBytes = Math.min(POLICER_BURST_BYTES, playback.burstBytes + quicBytes);
  let spareBytes = 0;
  for (const transfer of live) {
    const isPoliced = transfer.isQuic && quicBytes !== Infinity;
    const maxBytes = isPoliced ? playback.burstBytes / quicCount : unpolicedBytes(playback, transfer);
    const missingBytes = transfer.totalBytes - transfer.bytes;
    const takenBytes = Math.min(shareBytes + spareBytes, maxBytes, missingBytes);
    spareBytes += Math.max(0, shareBytes - takenBytes);
    transfer.bytes += takenBytes;
    if (isPoliced) playback.burstBytes -= takenBytes;
  }
}

/** What a flow can have at most in one step where no policer is in its way. */
const unpolicedBytes = ({ world, nowMs }: Playback, transfer: Transfer): number =>
  transfer.isQuic ? Infinity : bytesPerStep(world.tcpKbps(nowMs));

/** Plays one step of the buffer. */
function drainBuffer(playback: Playback): void {
  playback.bufferMs -= STEP_MS;
  if (playback.bufferMs >= 0) return;
  playback.bufferMs = 0;
  playback.stalledMs += STEP_MS;
}

/** Ends the requests that have all their bytes, and puts their segments into the buffer. */
function endComplete(playback: Playback): void {
  const complete = playback.running.filter(({ bytes, totalBytes }) => bytes >= totalBytes - 0.5);
  for (const transfer of complete) {
    end(playback, transfer, 'ok');
    if (transfer.purpose === 'media') addSegment(playback, transfer);
  }
}

function addSegment(playback: Playback, { pathway, totalBytes, startMs }: Transfer): void {
  const { nowMs, segments, segmentKbps } = playback;
  segments.push({ atMs: nowMs, kbps: segmentKbps, pathway });
  playback.estimateKbps = (8 * totalBytes) / Math.max(1, nowMs - startMs);
  playback.bufferMs += SEGMENT_MS;
}

const isAnswerDue = ({ nowMs, running, segmentStartMs }: Playback): boolean =>
  nowMs % ASK_EVERY_MS === 0 && running.length > 0 && nowMs - segmentStartMs >= FIRST_ASK_MS;

/** Reports the progress of each request, and asks the policy. */
function askInFlight(playback: Playback): void {
  const { nowMs: atMs, running, runner } = playback;
  for (const { requestId, bytes } of running)
    runner.tell({ kind: 'progress', atMs, requestId, bytes: Math.round(bytes) });
  followAnswer(playback, ask(playback));
}

/** Mean bitrate of the segments from a moment on, in kbit/s. */
export function meanKbps({ segments }: Played, fromMs = 0, untilMs = Infinity): number {
  const those = segments.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
  return those.reduce((sum, { kbps }) => sum + kbps, 0) / those.length;
}
