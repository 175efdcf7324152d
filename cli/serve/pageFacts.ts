import type { Origin } from '../../lab/caddy/origin.ts';

/** What the page learns about the place it is served from: `pitwall.json` beside index.html. */
export function pageFacts(host: string, { httpsPort }: Pick<Origin, 'httpsPort'>) {
  const url = `https://${host}:${httpsPort}`;
  return {
    demoUrl: `${url}/media/demo/manifest.mpd`,
    plainDemoUrl: 'media/demo/manifest.mpd',
    origins: [{ url, offers: ['http/1.1', 'h2', 'h3'] }],
  };
}
