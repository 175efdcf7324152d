import { expect, test } from 'vitest';
import { formatNetError } from './formatNetError.ts';

const QUIC =
  'no answer over QUIC: UDP does not get through, nobody serves HTTP/3 there, or its certificate has no public root';

test.each<[string, boolean, string]>([
  ['net::ERR_NAME_NOT_RESOLVED', false, 'the name cdn.example is not found (ERR_NAME_NOT_RESOLVED)'],
  ['net::ERR_NAME_NOT_RESOLVED', true, 'the name cdn.example is not found (ERR_NAME_NOT_RESOLVED)'],
  [
    'net::ERR_CERT_AUTHORITY_INVALID',
    false,
    'the server’s certificate is not trusted for cdn.example (ERR_CERT_AUTHORITY_INVALID)',
  ],
  [
    'net::ERR_SSL_PROTOCOL_ERROR',
    false,
    'cdn.example:8443 offers no TLS that the browser accepts: is it an http address? (ERR_SSL_PROTOCOL_ERROR)',
  ],
  [
    'net::ERR_CONNECTION_REFUSED',
    false,
    'refused: nobody listens on cdn.example:8443 (ERR_CONNECTION_REFUSED)',
  ],
  [
    'net::ERR_CONNECTION_TIMED_OUT',
    false,
    'no answer from cdn.example:8443 in time (ERR_CONNECTION_TIMED_OUT)',
  ],
  ['net::ERR_EMPTY_RESPONSE', false, 'the connection was closed without an answer (ERR_EMPTY_RESPONSE)'],
  ['net::ERR_QUIC_PROTOCOL_ERROR', true, `${QUIC} (ERR_QUIC_PROTOCOL_ERROR)`],
  ['net::ERR_FAILED', true, `${QUIC} (ERR_FAILED)`],
  ['net::ERR_SOMETHING_NEW', false, 'ERR_SOMETHING_NEW'],
])('%s, forced to QUIC: %s', (errorText, isQuicForced, words) =>
  expect(formatNetError({ errorText, isQuicForced, url: 'https://cdn.example:8443/a.mpd' })).toBe(words),
);
