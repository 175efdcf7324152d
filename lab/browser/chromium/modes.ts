import type { BrowserMode } from '../browser.ts';

/**
 * A port nobody serves. Chromium refuses QUIC to a certificate without a public root unless the host is on the list of
 * `--origin-to-force-quic-on`; naming it there with another port lifts the refusal without forcing anything
 * (seen with Chromium 156: without it every handshake ends in CERTIFICATE_VERIFY_FAILED).
 */
const UNUSED_PORT = 9;

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
    meaning: 'as a normal browser: learns h3 from Alt-Svc, then races QUIC against TCP',
    flags: ({ host, ownCertificate }) => [
      '--enable-quic',
      ...(ownCertificate ? [`--origin-to-force-quic-on=${host}:${UNUSED_PORT}`] : []),
    ],
  },
  {
    id: 'h3-only',
    label: 'h3 only',
    meaning: 'QUIC from the first request, no race',
    flags: ({ host, port }) => ['--enable-quic', `--origin-to-force-quic-on=${host}:${port}`],
  },
];
