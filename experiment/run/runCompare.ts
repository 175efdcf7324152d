import path from 'node:path';
import { instrumentedPlan } from './campaign/instrumentedPlan.ts';
import type { CompareOptions } from './compareOptions.ts';
import { compareTable } from './compareTable.ts';
import { keepWeights } from './keepWeights.ts';
import { givenWeights } from '../resolve/weights.ts';
import { lengthKnown } from './lengthKnown.ts';
import { readTrusted, type Trusted } from './trust.ts';
import { levelFault } from '../resolve/levelFault.ts';
import { whileHolding } from './lock/whileHolding.ts';
import { checkPathways } from './pathwayOffers.ts';
import { playAll, type ReadyToPlay } from './playAll.ts';
import { sessionCells } from './sessionCells.ts';
import { DEMO_MPD, demoMounts } from '../../lab/content/contentMounts.ts';
import { demoRecipe, durationSeconds } from '../../lab/content/ladder.ts';
import { probeOffers, type Offer } from '../../lab/browser/chromium/probeOffers.ts';
import type { CompareCell, InstrumentedPlan } from './play/plan.ts';
import { valueOf } from '../../src/shared/result.ts';
import { lastProtocolOf } from '../../src/telemetry/transportModes.ts';
import { controllerMissing, instrumentedMissing } from '../../lab/origin/instrumentedMissing.ts';
import { sendersOf, USUAL_SENDERS } from '../factors/sendersOf.ts';
import { faultOfMode, formatOnlyCold } from '../factors/browser.ts';
import { lengthFault } from '../plan/campaignFaults.ts';
import { knownBrowsers } from '../resolve/knownBrowsers.ts';
import { usageError } from '../../node/exitCodes.ts';

/** Runs the comparison and prints its table. Resolves to the exit code. */
export async function runCompare(options: CompareOptions & { root: string }): Promise<number> {
  const outDir = path.resolve(options.out ?? path.join('runs', timeStamp()));
  const { mpd } = options;
  const instrumented = instrumentedOf(options);
  const cells = sessionCells(options, mpd ?? DEMO_MPD);
  const fault = mpd
    ? null
    : levelFault(options.rules, [{ name: 'the demo', levels: demoRecipe.video.length }]);
  if (fault !== null) throw usageError(`--rules: ${fault}`);
  refuseBrowsers(options);
  const trusted = options.trust === undefined ? undefined : await readTrusted(options.trust);
  await mustBeLongEnough(options, trusted);
  return whileHolding(outDir, options.shard, () => play(options, { outDir, cells, instrumented, trusted }));
}

interface Wanted {
  readonly outDir: string;
  readonly cells: CompareCell[];
  readonly instrumented: InstrumentedPlan | undefined;
  readonly trusted: Trusted | undefined;
}

async function play(
  options: CompareOptions & { root: string },
  { outDir, cells, instrumented, trusted }: Wanted,
): Promise<number> {
  const { mpd } = options;
  const weights = keepWeights(await givenWeights(options.rules, '.'), outDir);
  const code = await playAll(
    { ...options, part: options.shard },
    {
      ...weights,
      outDir,
      logDir: outDir,
      seconds: options.seconds,
      presetId: options.preset,
      browserProfile: options.browserProfile,
      networks: [],
      trusted,
      mounts: demoMounts(),
      ...(instrumented && { instrumented }),
      groups: [{ name: 'every rule over every transport', isPair: false, cells }],
      async ready(asking) {
        if (mpd) await sayOffers(mpd, asking, trusted);
        if (mpd && options.pathways)
          await checkPathways(mpd, options.pathways, {
            ...{ pageOrigin: new URL(asking.appUrl).origin, print },
            ...(trusted && { ca: trusted.pem }),
          });
        print(`${cells.length} sessions of ${options.seconds} s each; logs: ${path.relative('.', outDir)}`);
      },
    },
  );
  print(compareTable({ outDir, cells, metrics: options.metrics }));
  return code;
}

/** @throws Error in one sentence about what a browser of the comparison cannot do */
function refuseBrowsers({ browsers = [], transports, browserProfile }: CompareOptions): void {
  for (const browser of knownBrowsers.filter(({ id }) => browsers.includes(id))) {
    for (const mode of transports) {
      const fault = faultOfMode(browser, mode);
      if (fault !== null) throw usageError(`--transports: ${fault}`);
    }
    if (browserProfile === 'warm' && !browser.canBeWarm)
      throw usageError(`--browser-profile warm: ${formatOnlyCold(browser)}`);
  }
}

/** @throws Error in one sentence about an origin that cannot be had here, or has no use for what was asked */
function instrumentedOf({ origin, controller, mpd }: CompareOptions): InstrumentedPlan | undefined {
  if (origin !== 'instrumented') {
    if (controller === undefined) return undefined;
    throw usageError('--controller needs --origin instrumented.');
  }
  if (mpd)
    throw usageError(
      '--origin and --mpd cannot be combined: --origin serves the demo, --mpd names a stream on another server.',
    );
  const { tcp } = controller === undefined ? USUAL_SENDERS : valueOf(sendersOf(controller));
  const missing = instrumentedMissing() ?? controllerMissing(tcp);
  if (missing !== null) throw new Error(`--origin instrumented: ${missing}.`);
  return instrumentedPlan({ origin });
}

/** @throws Error in one sentence when the stream ends before its sessions, or its server refuses it */
async function mustBeLongEnough(
  { mpd, seconds }: CompareOptions,
  trusted: Trusted | undefined,
): Promise<void> {
  if (mpd) return lengthKnown(mpd, seconds, { print, trusted });
  const fault = lengthFault('The demo', { contentSeconds: durationSeconds(demoRecipe), seconds });
  if (fault) throw usageError(`--seconds ${seconds}: ${fault}`);
}

/** @throws Error in one sentence when the origin answers in no mode: sessions would only repeat that */
async function sayOffers(
  mpdUrl: string,
  { chromiumPath, appUrl, mediaUrls }: ReadyToPlay,
  trusted: Trusted | undefined,
): Promise<void> {
  // As in `warmUp`: a page of the site that loads nothing.
  const asking = {
    ...{ chromiumPath, pageUrl: new URL('/favicon.svg', appUrl).href },
    ...(trusted && { spkiSha256Base64: trusted.spkiSha256Base64 }),
  };
  const probed = await probeOffers(mpdUrl, asking);
  print(offerTable(probed, 'the MPD'));
  for (const url of mediaUrls[mpdUrl] ?? [])
    print(offerTable(await probeOffers(url, { ...asking, isMedia: true }), 'media'));
  if (probed.offers.some(({ protocols }) => protocols.length > 0)) return;
  const causes = new Set(probed.offers.map(({ error }) => error));
  // Over QUIC alone a browser does not say that the certificate is the reason.
  const [untrusted] = [...causes].filter((cause) => cause?.includes('certificate is not trusted'));
  throw new Error(
    untrusted == null
      ? `${mpdUrl}: The server answers in no transport mode: ${[...causes].join('; ')}.`
      : `${mpdUrl}: The lab's browser does not accept it: ${untrusted}. Name the certificate with --trust FILE.pem.`,
  );
}

const timeStamp = (): string => new Date().toISOString().slice(0, 19).replaceAll(':', '-');

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** What a foreign origin offers, one line per mode. */
function offerTable({ url, offers }: { url: string; offers: readonly Offer[] }, what: string): string {
  const lines = offers.map(({ mode, protocols, error }) => {
    const seen = protocols.length > 0 ? protocols.join(', then ') : 'nothing';
    const why = error === null ? '' : `: ${error}`;
    const note =
      protocols.length === 0 || offered(mode, protocols) ? '' : '  ← not the protocol of this mode';
    return `  ${mode.padEnd(10)} ${seen}${why}${note}`;
  });
  return [`${new URL(url).host} answers the request for ${what} with:`, ...lines].join('\n');
}

const offered = (mode: Offer['mode'], protocols: readonly string[]): boolean => {
  const last = lastProtocolOf(mode);
  return protocols.at(-1) === (last === 'h1' ? 'http/1.1' : last);
};
