const UNITS = [
  ['day', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in its two largest units: `9 days 3 h`, `1 min 5 s`, `0 s`. Rounded to whole seconds. */
export function formatDuration(durationMs: number): string {
  let rest = Math.round(durationMs / 1000);
  const words: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) words.push(`${count} ${unit === 'day' && count > 1 ? 'days' : unit}`);
  }
  return words.slice(0, 2).join(' ') || '0 s';
}
