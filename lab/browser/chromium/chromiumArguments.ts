import type { LaunchOptions } from '../browser.ts';

/**
 * No traffic of the browser's own on the measured path; software rendering off, because it eats both cores of a small
 * machine; no throttling of a page nobody looks at.
 */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--no-first-run',
  '--no-pings',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
];

/**
 * Hosts that Chromium 156 asks all the same (seen in NetLogs of sessions: the form's fields for autofill, signed-in
 * accounts, updates). They have no address here. By host and not by feature: a second `--disable-features` would replace
 * Playwright's.
 */
const UNASKED = ['content-autofill.googleapis.com', 'accounts.google.com', 'update.googleapis.com'];

/**
 * Chromium 156 goes on without an HTTPS record that is not there some ms after the address, a share of the time that the lookup
 * took (net/base/features.h). So long it waits here: a packet of DNS that a link loses is sent again after a second.
 */
const WAITS_FOR_RECORDS = `UseDnsHttpsSvcb:${[
  ['Max', '5000ms'],
  ['Percent', '0'],
  ['Min', '5000ms'],
]
  .map(([name, value]) => `UseDnsHttpsSvcbInsecureExtraTime${name}/${value}`)
  .join('/')}`;

/** The command line of a browser that measures. */
export function chromiumArguments({
  flags,
  spkiSha256Base64,
  hostRules,
  asksDns = false,
  netLogFile,
}: LaunchOptions): string[] {
  const rules = [...(hostRules ? [hostRules] : []), ...UNASKED.map((host) => `MAP ${host} ~NOTFOUND`)];
  return [
    ...QUIET,
    ...(spkiSha256Base64 ? [`--ignore-certificate-errors-spki-list=${spkiSha256Base64}`] : []),
    `--host-resolver-rules=${rules.join(', ')}`,
    // A proxy of the environment would be asked for the names of our own origins, over TCP.
    ...(hostRules === null && !asksDns ? [] : ['--no-proxy-server']),
    ...(asksDns ? [`--enable-features=${WAITS_FOR_RECORDS}`] : []),
    ...(netLogFile ? netLogFlags(netLogFile) : []),
    ...flags,
  ];
}

export const netLogFlags = (file: string): string[] => [
  `--log-net-log=${file}`,
  '--net-log-capture-mode=Default',
];
