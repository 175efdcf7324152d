import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../eventsOf.ts';
import type { Span } from '../playingSpans.ts';
import { protocolOf, type Protocol } from '../protocol.ts';
import { spread } from './spread.ts';

/**
 * Media bytes per protocol in each window. A request's bytes are spread evenly over the time they flowed, from first to
 * last byte, or from its start where the first byte is hidden.
 */
export function windowBytes(log: SessionLog, windows: readonly Span[]): Record<Protocol, number>[] {
  const bytes = windows.map(() => ({ h1: 0, h2: 0, unknown: 0, h3: 0 }));
  for (const request of eventsOf(log, 'request')) {
    const { type, atMs, startMs, firstByteMs, lastByteMs, endMs, receivedBytes } = request;
    if (type !== 'media' || !receivedBytes) continue;
    const fromMs = firstByteMs ?? startMs ?? atMs;
    // Bytes that came all at once have a moment, which must lie in one window.
    const flowMs = Math.max(1e-3, (lastByteMs ?? endMs ?? fromMs) - fromMs);
    const protocol = protocolOf(request.protocol);
    spread(windows, { fromMs, toMs: fromMs + flowMs }, (index, ms) => {
      bytes[index]![protocol] += (receivedBytes * ms) / flowMs;
    });
  }
  return bytes;
}
