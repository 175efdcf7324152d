/** A WebVTT file with one caption every two seconds that says its own time. PURE. */
export function webVtt(seconds: number): string {
  const cues: string[] = [];
  for (let at = 0; at < seconds; at += 2) {
    cues.push(`${clock(at)} --> ${clock(Math.min(at + 2, seconds))}\nCaption at ${at} seconds`);
  }
  return ['WEBVTT', ...cues, ''].join('\n\n');
}

function clock(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.000`;
}
