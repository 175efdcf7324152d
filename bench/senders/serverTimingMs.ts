/** `name;dur=…` of a Server-Timing header in ms; null where it is absent. */
export function serverTimingMs(header: string | null, name: string): number | null {
  const part = header?.split(',').find((each) => each.trim().startsWith(`${name};`));
  const [, ms] = /;dur=([\d.]+)/.exec(part ?? '') ?? [];
  return ms === undefined ? null : Number(ms);
}
