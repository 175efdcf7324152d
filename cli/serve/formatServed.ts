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
    'The certificate of the origin is self-signed. A browser needs its key for h2 and for h3. Start it with:',
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
    : [`  content  ${address}  (your folder has no MPD at its top level: add the path of one below it)`];
}
