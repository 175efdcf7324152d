/** Large numbers are easier to read in the next unit; tables and CSV keep the metric's own. */
const LARGER: Readonly<
  Record<string, { readonly unit: string; readonly from: number; readonly factor: number }>
> = {
  'kbit/s': { unit: 'Mbit/s', from: 1000, factor: 1e-3 },
  ms: { unit: 's', from: 10_000, factor: 1e-3 },
  B: { unit: 'MB', from: 1, factor: 1e-6 },
};

/** The unit that people read values up to `max` in, and what to multiply them by. */
export function shownUnit(unit: string, max: number): { readonly unit: string; readonly factor: number } {
  const larger = Object.hasOwn(LARGER, unit) ? LARGER[unit]! : null;
  return larger && max >= larger.from ? larger : { unit, factor: 1 };
}

/** A title with its unit, as axes have it. */
export const withUnit = (label: string, unit: string): string => (unit === '' ? label : `${label}, ${unit}`);
