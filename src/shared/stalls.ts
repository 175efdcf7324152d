/**
 * Shortest wait for media that counts as a stall, ms. A video element fires `waiting` and `playing` also around waits of a
 * millisecond, which nobody sees: the picture that is on screen stays there for a frame (42 ms at 24 frames/s) anyway.
 * None of the papers has a least length, so the value is our choice: of the 43 recorded sessions of campaigns/results with
 * a single wait it was at most 46 ms in 14, and at least 126 ms in all others (research/methodology.md). It is more than two
 * frames, and less than the 150 ms by which a frame must be late to be a freeze in W3C, Identifiers for WebRTC's
 * Statistics API (freezeCount).
 *
 * What it holds for: the number of stalls, their lists and marks. Rebuffer time is the sum of all waits, in seconds, as T_n
 * in the QoE of the papers: a sum needs no least length, and those left out would be its smallest terms.
 */
export const MIN_STALL_MS = 100;

/** Times in logs are whole microseconds. The difference of two of them is right to this, ms. */
const ROUNDING_MS = 1e-3;

/** Whether a wait for media of this length, ms, is a stall. */
export const isStall = (waitMs: number): boolean => waitMs >= MIN_STALL_MS - ROUNDING_MS;
