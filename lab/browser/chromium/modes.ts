import type { BrowserMode, ModeTarget } from '../browser.ts';

/**
 * A port nobody serves. Chromium refuses QUIC to a certificate without a public root unless the host is on the list of
 * `--origin-to-force-quic-on`; naming it there with another port lifts the refusal without forcing anything
 * (seen with Chromium 156: without it every handshake ends in CERTIFICATE_VERIFY_FAILED).
 */
const UNUSED_PORT = 9;

/** Returns flags with which Chromium acts like a normal browser that meets this origin. */
const racing = ({ servers, ownCertificate }: ModeTarget): string[] => [
  '--enable-quic',
  ...(ownCertificate ? [quicOn(servers.map(({ host }) => ({ host, port: UNUSED_PORT })))] : []),
];

/** The flag takes a list, separated by commas (components/network_session_configurator). */
const quicOn = (servers: ModeTarget['servers']): string =>
  `--origin-to-force-quic-on=${servers.map(({ host, port }) => `${host}:${port}`).join()}`;

/**
 * Chromium's own experiment about QUIC with other values (components/network_session_configurator): what a NetLog has as
 * `quicInfo`.
 */
const quicTrial = (values: Readonly<Record<string, string>>): string[] => [
  '--force-fieldtrials=QUIC/Enabled/',
  `--force-fieldtrial-params=QUIC.Enabled:${Object.entries(values)
    .map(([name, value]) => `${name}/${value}`)
    .join('/')}`,
];

export const modes: readonly BrowserMode[] = [
  {
    id: 'h1',
    label: 'http/1.1',
    meaning: 'TCP only, http/1.1 on up to six connections',
    flags: () => ['--disable-quic', '--disable-http2'],
  },
  {
    id: 'h2',
    label: 'h2',
    meaning: 'TCP only, as in a network that blocks UDP',
    flags: () => ['--disable-quic'],
  },
  {
    id: 'h3-racing',
    label: 'h3, racing',
    meaning: 'as a normal browser: learns h3 from Alt-Svc or DNS, then races QUIC against TCP',
    flags: racing,
  },
  {
    id: 'h3-only',
    label: 'h3 only',
    meaning: 'QUIC from the first request, no race',
    flags: ({ servers }) => ['--enable-quic', quicOn(servers)],
  },
  {
    id: 'h3-no-fallback',
    label: 'h3, no fallback',
    meaning: 'as h3-racing, but a request that QUIC failed is not sent again over TCP',
    variantOf: 'h3-racing',
    flags: (target) => [...racing(target), ...quicTrial({ retry_without_alt_svc_on_quic_errors: 'false' })],
  },
  {
    id: 'h3-migrating',
    label: 'h3, migrating',
    meaning:
      'as h3-racing, but a QUIC connection may move to another network, where the system supports it (Linux: no)',
    variantOf: 'h3-racing',
    flags: (target) => [
      ...racing(target),
      ...quicTrial({
        migrate_sessions_on_network_change_v2: 'true',
        migrate_sessions_early_v2: 'true',
        migrate_idle_sessions: 'true',
      }),
    ],
  },
];
