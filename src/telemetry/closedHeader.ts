import type { SessionHeader } from './schema/sessionLog.ts';

/** The header of a session cut off or still running, with its open part ended at the last moment recorded. */
export function closedHeader(header: SessionHeader, lastMs: number): SessionHeader {
  const parts = header.parts.map((part) => ({
    ...part,
    endMs: part.endMs ?? Math.max(part.startMs, lastMs),
  }));
  return { ...header, parts };
}
