import { describe, expect, it, test } from 'vitest';
import { mustHaveDiscovered } from './discovery.ts';
import type { CompareCell } from './plan.ts';
import type { LoggedQuestion } from '../../lab/dns/startResolver.ts';
import { exampleLog, exampleRequest } from '../../src/telemetry/exampleLog.testing.ts';
import type { TransportEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const HOST = 'cell.origin.test';
const line = (type: string, records: readonly string[], answeredAtUnixMs: number): LoggedQuestion => ({
  askedAtUnixMs: answeredAtUnixMs,
  answeredAtUnixMs,
  via: 'udp',
  name: type === 'HTTPS' ? `_8443._https.${HOST}` : HOST,
  type,
  rcode: 'NOERROR',
  records,
});
const ADDRESS = line('A', ['203.0.113.1'], 20);
const RECORD = line('HTTPS', [`1 ${HOST}. alpn=h3,h2`], 10);
const NO_RECORD = line('HTTPS', [], 10);

const AGAIN = line('HTTPS', RECORD.records, 5010);

/** A log whose requests came over `protocol`, with these outcomes of races in the NetLog; none: there is no NetLog. */
function logOf(protocol: string, ...outcomes: readonly string[]): SessionLog {
  const races = outcomes.map((outcome, index) => ({
    outcome,
    mainDelayMs: null,
    startMs: index,
    endMs: null,
  }));
  const event: TransportEvent = {
    kind: 'transport',
    id: 't1',
    atMs: 0,
    requestId: 'r1',
    source: 'netlog',
    races,
    connectionId: null,
    missing: { connectionId: 'failed' },
  };
  const log = exampleLog({ segments: 0, extra: outcomes.length === 0 ? [] : [event] });
  return {
    ...log,
    events: [
      ...log.events.filter(({ kind }) => kind !== 'request'),
      exampleRequest({ protocol, url: `https://${HOST}:8443/a.mpd` }),
    ],
  };
}

const hasNetLog = (log: SessionLog): boolean => log.events.some(({ kind }) => kind === 'transport');

const faultOf = (
  discovery: string,
  log: SessionLog,
  questions: readonly LoggedQuestion[],
  { transport = 'h3-racing', browser = hasNetLog(log) ? 'chromium' : 'firefox' }: Partial<CompareCell> = {},
): string | null => {
  try {
    mustHaveDiscovered(log, { id: 'cell', discovery, transport, browser }, questions);
    return null;
  } catch (error) {
    expect(error).toMatchObject({ failure: 'discovery-not-as-planned' });
    return (error as Error).message;
  }
};

describe('as planned', () => {
  it.each<[string, SessionLog, readonly LoggedQuestion[]]>([
    ['dns', logOf('h3', 'dns-alpn-won', 'dns-alpn-reused'), [RECORD, ADDRESS]],
    ['dns', logOf('h2', 'main-won', 'main-won'), [RECORD, ADDRESS]],
    ['dns', logOf('h3'), [RECORD, ADDRESS]],
    ['dns+alt-svc', logOf('h3', 'main-won', 'alternative-won'), [RECORD, ADDRESS]],
    ['alt-svc', logOf('h3', 'main-alone', 'alternative-won'), [NO_RECORD, ADDRESS]],
    ['none', logOf('h2', 'main-alone'), [NO_RECORD, ADDRESS]],
    ['none', logOf('h2'), [NO_RECORD, ADDRESS]],
    // QUIC lost its race, or the link limits UDP: the record was there.
    ['dns', logOf('h2'), [RECORD, ADDRESS]],
    ['dns', logOf('h3'), [RECORD, ADDRESS, AGAIN]],
    // Its time has ended; the link is dead.
    ['dns', logOf('h2'), [RECORD, ADDRESS, line('HTTPS', RECORD.records, 300_020)]],
    ['dns', { ...logOf('h2'), events: [] }, [RECORD, ADDRESS, AGAIN]],
    // A link lost the first question, and the browser waited for the answer to the second.
    ['dns', logOf('h3', 'dns-alpn-won'), [ADDRESS, line('HTTPS', RECORD.records, 1020)]],
  ])('%s: %#', (discovery, log, questions) => expect(faultOf(discovery, log, questions)).toBeNull());

  it('where there is no race, only the address is asked for', () =>
    expect(faultOf('dns', logOf('h3', 'quic-forced'), [ADDRESS], { transport: 'h3-only' })).toBeNull());
});

describe('not as planned', () => {
  const late = line('HTTPS', RECORD.records, 25);
  const of = ({ name, ...rest }: LoggedQuestion): LoggedQuestion => ({
    ...rest,
    name: name.replace('cell', 'others'),
  });
  it.each<[string, SessionLog, readonly LoggedQuestion[], string]>([
    ['dns', logOf('h3'), [], "dns was planned, and the browser asked the lab's DNS server for no address"],
    [
      'none',
      logOf('h2'),
      [of(ADDRESS)],
      "none was planned, and the browser asked the lab's DNS server for no address",
    ],
    ['dns', logOf('h3'), [ADDRESS], 'dns was planned, and the browser asked for no HTTPS record'],
    [
      'dns',
      logOf('h3'),
      [ADDRESS, late],
      'dns was planned, and the HTTPS record was sent 5 ms after the address',
    ],
    [
      'dns',
      logOf('h2', 'main-alone'),
      [RECORD, ADDRESS],
      'dns was planned, and the first request tried no QUIC',
    ],
    [
      'dns',
      logOf('h3', 'main-won', 'alternative-won'),
      [RECORD, ADDRESS],
      '1 request used h3 known from Alt-Svc, which was not planned',
    ],
    [
      'alt-svc',
      logOf('h3', 'dns-alpn-won', 'dns-alpn-reused'),
      [NO_RECORD, ADDRESS],
      '2 requests used h3 known from DNS, which was not planned',
    ],
    ...['dns', 'dns+alt-svc'].map((discovery): [string, SessionLog, readonly LoggedQuestion[], string] => [
      discovery,
      logOf('h2'),
      [RECORD, ADDRESS, AGAIN],
      'dns was planned, and the browser began without the HTTPS record, for which it asked again',
    ]),
    ['none', logOf('h3'), [NO_RECORD, ADDRESS], 'nothing was to tell of h3, and 1 request came over it'],
  ])('%s: %#', (discovery, log, questions, sentence) =>
    expect(faultOf(discovery, log, questions)).toBe(sentence),
  );

  it.each(['alt-svc', 'dns', 'none'])('%s of a Chromium whose NetLog cannot be read', (discovery) =>
    expect(faultOf(discovery, logOf('h2'), [RECORD, ADDRESS], { browser: 'chromium' })).toBe(
      'the NetLog of Chromium does not show how h3 was learned',
    ),
  );
});

test('a session that plans no discovery has no DNS server to ask', () =>
  expect(() =>
    mustHaveDiscovered(logOf('h3', 'alternative-won'), { id: 'cell', transport: 'h3-racing' }, []),
  ).not.toThrow());
