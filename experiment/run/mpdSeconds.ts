/** An XML duration (W3C XML Schema part 2, §3.2.6), as MPDs have it: `PT1M12S`, `P0Y0M0DT0H1M12.000S`. */
const DURATION =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const UNITS_SECONDS = [365 * 86_400, 30 * 86_400, 86_400, 3600, 60, 1];

/** How long the stream of an MPD lasts, in s; null for a live one, and where the MPD does not say it at its beginning. */
export function mpdSeconds(text: string): number | null {
  const [, attributes = ''] = /<(?:[\w-]+:)?MPD\b([^>]*)>/.exec(text) ?? [];
  if (/\btype\s*=\s*["']dynamic["']/.test(attributes)) return null;
  const [, , said = ''] = /\bmediaPresentationDuration\s*=\s*(["'])(.*?)\1/.exec(attributes) ?? [];
  const parts = DURATION.exec(said.trim())?.slice(1);
  if (!parts?.some((part) => part !== undefined)) return null;
  return parts.reduce((sum, part, index) => sum + Number(part ?? 0) * UNITS_SECONDS[index]!, 0);
}
