/**
 * A small world in which policies are tested: one link, two pathways, requests in steps of 100 ms. Flows share the link
 * evenly, and those with HTTP/3 pass a policer. It has no slow start and no packets: those are the simulator's and the lab's.
 */
import type { Pathway, SteeringAnswer, SteeringPolicy } from './policy.ts';
import { createSteeringRunner } from './runner.ts';

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

export interface Played {
  /** One entry for each change of pathway, the first one included. */
  readonly uses: { readonly atMs: number; readonly pathway: string; readonly because: string }[];
  readonly rescues: number[];
  readonly probes: { readonly atMs: number; readonly pathway: string; bytes: number }[];
  readonly mediaBytes: number;
  readonly segments: { readonly atMs: number; readonly kbps: number; readonly pathway: string }[];
  readonly stalledMs: number;
  readonly faults: unknown[];
}

const STEP_MS = 100;
const SEGMENT_MS = 4000;
const TARGET_MS = 20_000;
const POLICER_BURST_BYTES = 16_000;

interface Transfer {
  readonly requestId: string;
  readonly pathway: string;
  readonly purpose: 'media' | 'probe';
  readonly startMs: number;
  readonly firstByteAtMs: number;
  readonly totalBytes: number;
  bytes: number;
}

/** Plays a session with a policy. */
export function playWorld(policy: SteeringPolicy, world: World): Played {
  const { linkKbps, quicKbps = () => Infinity, tcpKbps = () => Infinity, seconds = 180 } = world;
  const { ladderKbps = [80, 150, 300, 600, 1200], rttMs = 50 } = world;
  const faults: unknown[] = [];
  const runner = createSteeringRunner(policy, { pathways: PATHWAYS, seed: 1 }, (fault) => faults.push(fault));
  const played = { uses: [] as Played['uses'], rescues: [] as number[], probes: [] as Played['probes'] };
  const segments: Played['segments'] = [];
  let running: Transfer[] = [];
  const open = new Set<string>();
  let [pathway, nowMs, bufferMs, stalledMs, mediaBytes, count] = ['main', 0, 0, 0, 0, 0];
  let [burst, estimateKbps, segmentKbps, segmentStartMs] = [POLICER_BURST_BYTES, 0, 0, 0];

  const begin = (purpose: Transfer['purpose'], over: string, totalBytes: number): void => {
    const requestId = `request-${(count += 1)}`;
    const isCold = !open.has(over);
    open.add(over);
    const firstByteAtMs = nowMs + rttMs * (isCold ? 3 : 1);
    running.push({ requestId, pathway: over, purpose, startMs: nowMs, firstByteAtMs, totalBytes, bytes: 0 });
    runner.tell({ kind: 'began', atMs: nowMs, requestId, pathway: over, purpose });
    if (purpose === 'probe') played.probes.push({ atMs: nowMs, pathway: over, bytes: 0 });
  };
  const end = (transfer: Transfer, outcome: 'ok' | 'aborted'): void => {
    running = running.filter((each) => each !== transfer);
    if (transfer.purpose === 'probe') played.probes.at(-1)!.bytes = transfer.bytes;
    else mediaBytes += transfer.bytes;
    runner.tell({
      kind: 'ended',
      atMs: nowMs,
      requestId: transfer.requestId,
      ...{ pathway: transfer.pathway, purpose: transfer.purpose, outcome, bytes: Math.round(transfer.bytes) },
      ...{ startMs: transfer.startMs, firstByteMs: transfer.bytes > 0 ? transfer.firstByteAtMs : null },
      ...{ lastByteMs: nowMs, protocol: null, connectionReused: true },
    });
  };
  const use = (answer: SteeringAnswer): void => {
    if (answer.pathway !== pathway || played.uses.length === 0)
      played.uses.push({ atMs: nowMs, pathway: answer.pathway, because: answer.because });
    pathway = answer.pathway;
    const rescued = running.find(({ requestId }) => requestId === answer.rescue);
    if (rescued) {
      end(rescued, 'aborted');
      played.rescues.push(nowMs);
      begin('media', pathway, rescued.totalBytes - rescued.bytes);
    }
    const ended = running.find(({ requestId }) => requestId === answer.endProbe);
    if (ended) end(ended, 'aborted');
    if (answer.probe && !running.some(({ purpose }) => purpose === 'probe'))
      begin('probe', answer.probe.pathway, answer.probe.bytes);
  };
  const ask = (): SteeringAnswer =>
    runner.ask({
      ...{ nowMs, pathway, bufferMs, lowestKbps: ladderKbps[0]!, highestKbps: ladderKbps.at(-1)! },
      running: running.map(({ startMs: _start, firstByteAtMs: _first, ...request }) => request),
    });
  const carry = (): void => {
    const live = running.filter(({ firstByteAtMs }) => firstByteAtMs <= nowMs);
    const shareBytes = (linkKbps(nowMs) * STEP_MS) / 8 / Math.max(1, live.length);
    const quic = live.filter(({ pathway: over }) => over === 'main').length;
    const limitBytes = (quicKbps(nowMs) * STEP_MS) / 8;
    burst = Math.min(POLICER_BURST_BYTES, burst + limitBytes);
    let spare = 0;
    for (const transfer of live) {
      const isQuic = transfer.pathway === 'main';
      const mayBytes = isQuic ? burst / quic : (tcpKbps(nowMs) * STEP_MS) / 8;
      const got = Math.min(shareBytes + spare, limitBytes === Infinity && isQuic ? Infinity : mayBytes);
      const taken = Math.min(got, transfer.totalBytes - transfer.bytes);
      spare += shareBytes - taken > 0 ? shareBytes - taken : 0;
      transfer.bytes += taken;
      if (isQuic && limitBytes !== Infinity) burst -= taken;
    }
  };

  while (nowMs < seconds * 1000) {
    if (!running.some(({ purpose }) => purpose === 'media') && bufferMs < TARGET_MS) {
      segmentKbps = ladderKbps.findLast((kbps) => kbps <= 0.9 * estimateKbps) ?? ladderKbps[0]!;
      segmentStartMs = nowMs;
      use(ask());
      begin('media', pathway, (segmentKbps * SEGMENT_MS) / 8);
    }
    nowMs += STEP_MS;
    // Running flows are visited in turn from the last one on, so that what one leaves another can take.
    running.sort((one, other) => (one.purpose === other.purpose ? 0 : one.purpose === 'media' ? -1 : 1));
    carry();
    bufferMs -= STEP_MS;
    if (bufferMs < 0) [stalledMs, bufferMs] = [stalledMs + STEP_MS, 0];
    for (const transfer of [...running]) {
      if (transfer.bytes < transfer.totalBytes - 0.5) continue;
      end(transfer, 'ok');
      if (transfer.purpose === 'probe') continue;
      segments.push({ atMs: nowMs, kbps: segmentKbps, pathway: transfer.pathway });
      estimateKbps = (8 * transfer.totalBytes) / Math.max(1, nowMs - transfer.startMs);
      bufferMs += SEGMENT_MS;
    }
    if (nowMs % 200 === 0 && running.length > 0 && nowMs - segmentStartMs >= 400) {
      for (const { requestId, bytes } of running)
        runner.tell({ kind: 'progress', atMs: nowMs, requestId, bytes: Math.round(bytes) });
      use(ask());
    }
  }
  return { ...played, mediaBytes, segments, stalledMs, faults };
}

/** Mean bitrate of the segments from a moment on, in kbit/s. */
export function meanKbps({ segments }: Played, fromMs = 0, untilMs = Infinity): number {
  const those = segments.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
  return those.reduce((sum, { kbps }) => sum + kbps, 0) / those.length;
}
