import type { Place } from './place.ts';
import type { CompareCell } from './plan.ts';
import { racingFlags } from './racing.ts';
import type { RunningBrowser, Server } from '../../lab/browser/browser.ts';
import { browserOf } from '../../lab/browser/registry.ts';
import { readPathways } from '../../src/player/steering/pathways.ts';
import { pick } from '../../src/shared/registry.ts';
import { valueOf } from '../../src/shared/result.ts';

type Launched = Pick<CompareCell, 'transport' | 'browser' | 'pathways' | 'racing'>;

/** Starts the browser of a session at its place, in its transport mode. */
export function launchIn(
  { browser, mpdUrl, mediaUrls = [] }: Pick<Place, 'browser' | 'mpdUrl' | 'mediaUrls'>,
  cell: Launched,
  { profileDir, netLogFile }: { profileDir: string; netLogFile?: string | undefined },
): Promise<RunningBrowser> {
  const { transport, browser: id, pathways = [] } = cell;
  const others = valueOf(readPathways(pathways)).filter(({ carries }) => carries === 'any');
  const urls = [mpdUrl, ...mediaUrls, ...others.map(({ base }) => base)];
  const target = { servers: urls.map(serverOf), ownCertificate: browser.spkiSha256Base64 !== null };
  const { launch, modes } = browserOf(id);
  return launch({
    ...browser,
    profileDir,
    flags: [...pick(modes, transport).flags(target), ...racingFlags(cell)],
    ...(netLogFile !== undefined && { netLogFile }),
  });
}

function serverOf(url: string): Server {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || 443) };
}
