import type { LaunchOptions } from '../browser.ts';

type Value = string | number | boolean;

/** Preferences of Firefox, by name (modules/libpref/init/StaticPrefList.yaml, all.js). */
type Preferences = Readonly<Record<string, Value>>;

/** A port of this machine where nobody answers, for requests that no preference switches off. It never leaves the machine. */
const NOWHERE = 'http://localhost:9';

/**
 * No traffic of the browser's own on the measured path, beside what Playwright switches off by itself: telemetry, updates,
 * lists of malware and settings, captive portals, prefetching.
 */
const QUIET: Preferences = {
  'app.normandy.enabled': false,
  'app.shield.optoutstudies.enabled': false,
  'app.update.auto': false,
  'browser.aboutHomeSnippets.updateUrl': '',
  'browser.ml.enable': false,
  'browser.newtab.preload': false,
  'browser.places.speculativeConnect.enabled': false,
  'browser.region.network.url': '',
  'browser.region.update.enabled': false,
  'browser.safebrowsing.provider.google4.updateURL': '',
  'browser.safebrowsing.provider.mozilla.updateURL': '',
  'browser.search.geoSpecificDefaults': false,
  'browser.topsites.contile.enabled': false,
  'browser.urlbar.speculativeConnect.enabled': false,
  'doh-rollout.disable-heuristics': true,
  'dom.push.connection.enabled': false,
  'extensions.blocklist.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.webextensions.remote': true,
  'geo.enabled': false,
  'identity.fxaccounts.enabled': false,
  'media.gmp-manager.url': '',
  'media.gmp-provider.enabled': false,
  'messaging-system.rsexperimentloader.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'network.predictor.enabled': false,
  'network.prefetch-next': false,
  'network.trr.mode': 5,
  'nimbus.rollouts.enabled': false,
  'security.OCSP.enabled': 0,
  'security.remote_settings.crlite_filters.enabled': false,
  'security.remote_settings.intermediates.enabled': false,
  'services.settings.server': `${NOWHERE}/v1`,
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.server': '',
  'toolkit.telemetry.unified': false,
};

/** Times of the page as precise as the browser has them: it rounds them to a millisecond, and moves them at random. */
const PRECISE: Preferences = {
  'privacy.reduceTimerPrecision': false,
  'privacy.reduceTimerPrecision.unconditional': false,
};

/** A page that nobody looks at plays as one in front: no gesture before the first frame, timers as in the foreground. */
const PLAYS: Preferences = {
  'dom.suspend_inactive.enabled': false,
  'media.autoplay.block-webaudio': false,
  'media.autoplay.blocking_policy': 0,
  'media.autoplay.default': 0,
  'media.suspend-background-video.enabled': false,
  'widget.windows.window_occlusion_tracking.enabled': false,
};

/** All preferences of a browser that measures. @throws Error in one sentence about host rules that Firefox cannot follow */
export function firefoxPreferences({
  flags,
  hostRules,
  asksDns = false,
}: Pick<LaunchOptions, 'flags' | 'hostRules' | 'asksDns'>): Preferences {
  const addresses = asksDns ? DIRECT : addressPreferences(hostRules);
  return { ...QUIET, ...PRECISE, ...PLAYS, ...addresses, ...preferencesIn(flags) };
}

/** Reach our own origins without the proxy of the environment. */
const DIRECT: Preferences = { 'network.proxy.type': 0 };

/**
 * Firefox has one address for all names but `localhost`, so that hosts of its own requests have none of theirs either
 * (all.js).
 */
function addressPreferences(hostRules: string | null): Preferences {
  return hostRules === null ? {} : { ...DIRECT, 'network.dns.forceResolve': addressIn(hostRules) };
}

/** A preference as `LaunchOptions.flags` has it. */
export const formatPreference = (name: string, value: Value): string =>
  `${FLAG}${name}=${JSON.stringify(value)}`;

const FLAG = '--setpref=';

const preferencesIn = (flags: readonly string[]): Preferences =>
  Object.fromEntries(
    flags
      .filter((flag) => flag.startsWith(FLAG))
      .map((flag) => flag.slice(FLAG.length))
      .map((text) => [
        text.slice(0, text.indexOf('=')),
        JSON.parse(text.slice(text.indexOf('=') + 1)) as Value,
      ]),
  );

/** What of flags stands on the command line. */
export const argumentsIn = (flags: readonly string[]): string[] =>
  flags.filter((flag) => !flag.startsWith(FLAG));

/**
 * The one address of rules in Chromium's notation: `MAP origin.test 203.0.113.1, MAP *.origin.test 203.0.113.1`.
 * @throws Error in one sentence when they have several
 */
function addressIn(hostRules: string): string {
  const addresses = new Set(
    hostRules
      .split(',')
      .map((rule) => rule.trim().split(/\s+/))
      .map(([, , address = '']) => address),
  );
  const [address, ...others] = addresses;
  if (address === undefined || address === '' || others.length > 0)
    throw new Error(
      `Firefox maps all hosts to one address, but the rules have ${[...addresses].join(', ')}.`,
    );
  return address;
}
