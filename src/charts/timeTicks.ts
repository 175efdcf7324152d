const SECONDS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
];

/** Round moments in a view, ms: at most `max` of them. */
export function timeTicks(fromMs: number, toMs: number, max: number): number[] {
  const spanMs = Math.max(1, toMs - fromMs);
  const days = 86_400_000 * Math.ceil(spanMs / 86_400_000 / max);
  const stepMs = (SECONDS.find((seconds) => spanMs / (seconds * 1000) <= max) ?? days / 1000) * 1000;
  const first = Math.ceil(fromMs / stepMs - 1e-6);
  const count = Math.max(0, Math.floor(toMs / stepMs + 1e-6) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * stepMs);
}
