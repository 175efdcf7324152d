/** The numbers of Pensieve's public test environment (fixed_env.py), which every published "0.9xx" rests on. */
export const CHUNK_RULES = {
  /** Share of the trace's rate that is payload (PACKET_PAYLOAD_PORTION). */
  payload: 0.95,
  /** Added to each download; the trace's clock does not run meanwhile (LINK_RTT). */
  rttMs: 80,
  /** Above this the next request waits (BUFFER_THRESH). */
  bufferCapMs: 60_000,
  /** Such a wait is a whole number of these (DRAIN_BUFFER_SLEEP_TIME). */
  drainStepMs: 500,
  /** The first segment's rung, asked of nobody (DEFAULT_QUALITY); on a shorter ladder the highest. */
  firstRung: 1,
} as const;
