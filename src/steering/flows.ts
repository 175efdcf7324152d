/** What is known of requests that run: how many bytes each has had, and when. */
import type { Purpose, SteeringEvent } from './policy.ts';

/** A running request. Plain data; the points are those of the last seconds. */
export interface Flow {
  readonly requestId: string;
  readonly pathway: string;
  readonly purpose: Purpose;
  readonly startMs: number;
  /** When the first bytes were seen; null before. */
  readonly firstSeenMs: number | null;
  /** Ascending in time; the first one may be the start of the request. */
  readonly points: readonly Point[];
}

interface Point {
  readonly atMs: number;
  readonly bytes: number;
}

/** Rates are taken over windows of at most this length. */
const KEPT_MS = 4000;

/** A hostile server could keep requests open for ever. */
const MAX_FLOWS = 16;

/** The flows after an event. Ended ones are gone: `ended` events have what they were. */
export function flowsAfter(flows: readonly Flow[], event: SteeringEvent): readonly Flow[] {
  switch (event.kind) {
    case 'began': {
      const { requestId, pathway, purpose, atMs } = event;
      const flow = { requestId, pathway, purpose, startMs: atMs, firstSeenMs: null };
      return [...flows.slice(1 - MAX_FLOWS), { ...flow, points: [{ atMs, bytes: 0 }] }];
    }
    case 'progress':
      return flows.map((flow) => (flow.requestId === event.requestId ? withPoint(flow, event) : flow));
    case 'ended':
      return flows.filter(({ requestId }) => requestId !== event.requestId);
    case 'network-change':
      return flows;
  }
}

/** A flow that has had so many bytes by a moment. */
export function withPoint(flow: Flow, { atMs, bytes }: Point): Flow {
  const kept = flow.points.filter((point) => point.atMs >= atMs - KEPT_MS);
  return {
    ...flow,
    firstSeenMs: flow.firstSeenMs ?? (bytes > 0 ? atMs : null),
    points: [...kept, { atMs, bytes }],
  };
}

/** Bytes of a flow at a moment, between two points as if they came evenly. */
function bytesAt({ points }: Flow, atMs: number): number {
  const after = points.findIndex((point) => point.atMs >= atMs);
  if (after === -1) return points.at(-1)?.bytes ?? 0;
  const [before, next] = [points[after - 1], points[after]!];
  if (!before) return next.bytes;
  const share = (atMs - before.atMs) / (next.atMs - before.atMs);
  return before.bytes + share * (next.bytes - before.bytes);
}

/** Rate in kbit/s over the last `windowMs`; null while the flow is younger than half of that. */
export function recentKbps(flow: Flow, nowMs: number, windowMs: number): number | null {
  const fromMs = Math.max(flow.startMs, nowMs - windowMs);
  if (nowMs - fromMs < windowMs / 2) return null;
  return kbpsBetween([flow], fromMs, nowMs);
}

/** Rate of several flows together between two moments, in kbit/s. */
export function kbpsBetween(flows: readonly Flow[], fromMs: number, untilMs: number): number {
  const bytes = flows.reduce((sum, flow) => sum + bytesAt(flow, untilMs) - bytesAt(flow, fromMs), 0);
  return untilMs > fromMs ? (8 * bytes) / (untilMs - fromMs) : 0;
}
