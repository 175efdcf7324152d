import type { Place } from './place.ts';
import type { CompareCell } from './plan.ts';
import type { RunningBrowser } from '../../../lab/browser/browser.ts';
import { browserOf } from '../../../lab/browser/registry.ts';
import { pick } from '../../../src/shared/registry.ts';

/** Starts the browser of a session at its place, in its transport mode. */
export function launchIn(
  { browser, mpdUrl }: Pick<Place, 'browser' | 'mpdUrl'>,
  { transport, browser: id }: Pick<CompareCell, 'transport' | 'browser'>,
  { profileDir, netLogFile }: { profileDir: string; netLogFile?: string | undefined },
): Promise<RunningBrowser> {
  const { hostname, port } = new URL(mpdUrl);
  const ownCertificate = browser.spkiSha256Base64 !== null;
  const target = { host: hostname, port: Number(port || 443), ownCertificate };
  const { launch, modes } = browserOf(id);
  return launch({
    ...browser,
    profileDir,
    flags: pick(modes, transport).flags(target),
    ...(netLogFile !== undefined && { netLogFile }),
  });
}
