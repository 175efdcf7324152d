import type { Origin } from '../../lab/caddy/origin.ts';

interface Served {
  readonly start: string;
  /** The command that starts a browser for this origin; null where there is no Chromium. */
  readonly chromium: string | null;
  /** Names of the MPDs in a folder of the user's own; null where none is served. */
  readonly mpds: readonly string[] | null;
}

/** What is served, in words: addresses, what the origin offers, and how to see h3 in a browser of one's own. */
export function formatServed(origin: Pick<Origin, 'httpsUrl'>, { start, chromium, mpds }: Served): string {
  return [
    '',
    `Pitwall is ready:  ${start}`,
    '',
    `  app      ${start}  (any browser; its own copy of the demo is http/1.1)`,
    `  origin   ${origin.httpsUrl}/media/demo/manifest.mpd  (http/1.1, h2 and h3 on one port)`,
    ...contentLines(origin, mpds),
    '',
    "The origin's certificate is our own, so a browser must be told its key to speak h2, and h3 above all:",
    '',
    `      ${chromium ?? 'install Chromium, then run "npm start" again to get the command'}`,
    '',
    'Ctrl-C stops both.',
  ].join('\n');
}

function contentLines({ httpsUrl }: Pick<Origin, 'httpsUrl'>, mpds: Served['mpds']): string[] {
  if (mpds === null) return [];
  const address = `${httpsUrl}/content/`;
  return mpds.length > 0
    ? mpds.map((name) => `  content  ${address}${encodeURIComponent(name)}`)
    : [`  content  ${address}  (no MPD lies in your folder itself: add the path of one below it)`];
}
