import { PROTOCOLS, type Protocol } from '../../../analysis/transport/protocol.ts';
import type { SummaryWindow } from '../../sessionSummary.ts';

/** A stretch of session time with the mean bytes of a window in it. */
export interface ByteStretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** How many sessions are in the mean; of several windows, in the first. */
  readonly sessions: number;
  readonly bytes: Readonly<Record<Protocol, number>>;
}

type Windows = readonly Pick<SummaryWindow, 'fromMs' | 'toMs' | 'bytes'>[];

/**
 * Bytes per protocol and window, as the mean over the sessions that have this window: those that at least half of the
 * sessions have. Counted from play on. More windows than `max` become stretches of several, with their mean.
 */
export function meanBytes(sessions: readonly Windows[], max = 100): ByteStretch[] {
  const longest = sessions.reduce((length, windows) => Math.max(length, windows.length), 0);
  const counts = Array.from(
    { length: longest },
    (_, index) => sessions.filter((windows) => windows.length > index).length,
  );
  const shared = counts.filter((count) => 2 * count >= sessions.length).length;
  const means = Array.from({ length: shared }, (_, index) =>
    meanOfAll(sessions.flatMap((windows) => windows[index]?.bytes ?? [])),
  );
  const [first] = sessions.find((windows) => windows.length > 0) ?? [];
  const windowMs = first ? first.toMs - first.fromMs : 0;
  const size = Math.max(1, Math.ceil(shared / max));
  return Array.from({ length: Math.ceil(shared / size) }, (_, stretch) => {
    const from = stretch * size;
    const to = Math.min(shared, from + size);
    return {
      fromMs: from * windowMs,
      toMs: to * windowMs,
      sessions: counts[from]!,
      bytes: meanOfAll(means.slice(from, to)),
    };
  });
}

function meanOfAll(all: readonly Readonly<Record<Protocol, number>>[]): Record<Protocol, number> {
  const mean = { h1: 0, h2: 0, unknown: 0, h3: 0 };
  for (const bytes of all) for (const protocol of PROTOCOLS) mean[protocol] += bytes[protocol] / all.length;
  return mean;
}
