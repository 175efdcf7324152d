import { expect, test } from 'vitest';
import { exampleLog, exampleRequest } from '../../src/telemetry/exampleLog.testing.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { TransportMode } from '../../src/telemetry/transportModes.ts';
import { formatOtherProtocols } from './otherProtocols.ts';

const said = (transport: TransportMode, ...requests: readonly Partial<RequestEvent>[]) => {
  const log = exampleLog();
  return formatOtherProtocols({
    ...log,
    environment: { ...log.environment, transport },
    events: requests.map((request, index) => exampleRequest({ id: `r${index}`, ...request })),
  });
};
const url = 'https://media.example:8443/v/1.m4s';

test('media of another protocol than the mode has are counted, and their server is named', () =>
  expect(
    said(
      'h3-only',
      { type: 'manifest' },
      { type: 'init', url, protocol: 'h2' },
      { url, protocol: 'h2' },
      { url, protocol: 'h3' },
      { url, finalUrl: 'https://edge.example/1.m4s', protocol: 'http/1.1' },
    ),
  ).toBe(
    '3 of 4 requests for media did not come over a protocol of h3-only, but from media.example:8443 over h2 ' +
      'and edge.example over http/1.1, so this session does not measure what its row says',
  ));

test.each<[TransportMode, Partial<RequestEvent>]>([
  ['h3-only', { protocol: 'h3' }],
  ['h3-only', { protocol: null }],
  ['h3-only', { protocol: 'h2', type: 'manifest' }],
  ['h3-only', { protocol: 'h2', pathway: 'tcp' }],
  ['h3-racing', { protocol: 'h2' }],
  ['h2', { protocol: 'h2' }],
])('nothing is said of %s with %o', (mode, request) => expect(said(mode, request)).toBeNull());

test.each<[TransportMode, Partial<RequestEvent>]>([
  ['h3-racing', { protocol: 'http/1.1' }],
  ['h2', { protocol: 'http/1.1' }],
  ['h3-only', { protocol: 'h2', pathway: 'other' }],
])('something is said of %s with %o', (mode, request) => expect(said(mode, request)).not.toBeNull());
