import type { Origin } from '../../lab/caddy/origin.ts';

/** What is served, in words: addresses, what the origin offers, and how to see h3 in a browser of one's own. */
export function servedText(
  origin: Pick<Origin, 'httpsUrl'>,
  { start, chromium }: { start: string; chromium: string | null },
): string {
  return [
    '',
    `Pitwall is ready:  ${start}`,
    '',
    `  app      ${start}  (any browser; its own copy of the demo is http/1.1)`,
    `  origin   ${origin.httpsUrl}/media/demo/manifest.mpd  (http/1.1, h2 and h3 on one port)`,
    '',
    "The origin's certificate is our own, so a browser must be told its key to speak h2, and h3 above all:",
    '',
    `      ${chromium ?? 'install Chromium, then run "npm start" again to get the command'}`,
    '',
    'Ctrl-C stops both.',
  ].join('\n');
}
