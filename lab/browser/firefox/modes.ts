import type { BrowserMode, ModeTarget } from '../browser.ts';
import { HAPPY_EYEBALLS } from './happyEyeballs.ts';
import { formatPreference } from './preferences.ts';

const WITHOUT_QUIC = formatPreference('network.http.http3.enable', false);

/** Firefox refuses QUIC to a certificate without a root of its own unless this is off. */
const OWN_ROOT = formatPreference('network.http.http3.disable_when_third_party_roots_found', false);

const racing = ({ ownCertificate }: ModeTarget): string[] => [
  formatPreference('network.http.http3.enable', true),
  ...(ownCertificate ? [OWN_ROOT] : []),
];

/** Firefox' modes, like Chromium's by these names. Chromium's two variants of racing have no counterpart in its preferences. */
export const modes: readonly BrowserMode[] = [
  {
    id: 'h1',
    label: 'http/1.1',
    meaning: 'TCP only, http/1.1 on up to six connections',
    flags: () => [WITHOUT_QUIC, formatPreference('network.http.http2.enabled', false)],
  },
  {
    id: 'h2',
    label: 'h2',
    meaning: 'TCP only, as in a network that blocks UDP',
    flags: () => [WITHOUT_QUIC],
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
    flags: (target) => [
      ...racing(target),
      formatPreference(
        'network.http.http3.alt-svc-mapping-for-testing',
        target.servers.map(({ host, port }) => `${host};h3=:${port}`).join(),
      ),
      formatPreference('network.http.http3.force-use-alt-svc-mapping-for-testing', true),
      // Nothing begins over TCP beside QUIC (the second way is used where the first is off), or after it.
      formatPreference(HAPPY_EYEBALLS, false),
      formatPreference('network.http.http3.backup_timer_delay', 0),
      formatPreference('network.http.http3.fallback_to_h2_on_error', false),
    ],
  },
];
