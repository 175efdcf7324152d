/** Numbers and times as people read them. Unknown is said as "unknown", never as 0 or a dash alone. */
export const NO_BREAK = '\u00a0';
const MINUS = '\u2212';

export function fixed(value: number | null, digits: number, otherwise = 'unknown'): string {
  return value === null || !Number.isFinite(value) ? otherwise : value.toFixed(digits).replace('-', MINUS);
}

/** m:ss, from an hour on h:mm:ss; `tenths` adds one digit. */
export function formatClock(ms: number, tenths = false): string {
  const unit = tenths ? 100 : 1000;
  const rounded = Math.round(Math.max(0, ms) / unit) * unit;
  const seconds = Math.floor(rounded / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const head = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  const tail = tenths ? `.${Math.floor((rounded % 1000) / 100)}` : '';
  return `${head}:${two(seconds % 60)}${tail}`;
}

export const formatPercent = (share: number): string => `${Math.round(share * 100)}${NO_BREAK}%`;

/** "1 stall", "2 stalls". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
