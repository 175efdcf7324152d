import { carriedBytes } from '../../telemetry/carriedBytes.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../timeline/log.ts';
import type { Span } from '../timeline/spans.ts';
import { protocolOf, type Protocol } from '../transport/protocol.ts';

/**
 * Media bytes per protocol in each window. A request's bytes are spread evenly over the time they flowed, from first to
 * last byte, or from its start where the first byte is hidden.
 */
export function windowBytes(log: SessionLog, windows: readonly Span[]): Record<Protocol, number>[] {
  const bytes = windows.map(() => ({ h1: 0, h2: 0, unknown: 0, h3: 0 }));
  for (const request of eventsOf(log, 'request')) {
    const { type, atMs, startMs, firstByteMs, lastByteMs, endMs } = request;
    const sizeBytes = carriedBytes(request);
    if (type !== 'media' || !sizeBytes) continue;
    const fromMs = firstByteMs ?? startMs ?? atMs;
    // Bytes that came all at once have a moment, which must lie in one window.
    const flowMs = Math.max(1e-3, (lastByteMs ?? endMs ?? fromMs) - fromMs);
    const protocol = protocolOf(request.protocol);
    spread(windows, { fromMs, toMs: fromMs + flowMs }, (index, ms) => {
      bytes[index]![protocol] += (sizeBytes * ms) / flowMs;
    });
  }
  return bytes;
}

/**
 * Tells each window (equally long, one after the other) how much of a span lies in it: `add(index, ms)`. Costs what the
 * span touches, not what there is.
 */
export function spread(
  windows: readonly Span[],
  { fromMs, toMs }: Span,
  add: (index: number, ms: number) => void,
): void {
  const [first] = windows;
  if (!first) return;
  const lengthMs = first.toMs - first.fromMs;
  const from = Math.max(0, Math.floor((fromMs - first.fromMs) / lengthMs));
  for (let index = from; index < windows.length && windows[index]!.fromMs < toMs; index += 1) {
    const ms = Math.min(toMs, windows[index]!.toMs) - Math.max(fromMs, windows[index]!.fromMs);
    if (ms > 0) add(index, ms);
  }
}
