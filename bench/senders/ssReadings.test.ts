import { expect, test } from 'vitest';
import { ssReadings } from './ssReadings.ts';

const socket = (cwnd: number, more = ''): string =>
  `0 0 10.2.1.1:8443 10.1.1.1:40000 \n\t cubic wscale:7,7 rto:304 rtt:103.25/1.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:${cwnd} ssthresh:14 bytes_retrans:1448${more} minrtt:100.5`;
const round = (from: number, ...sockets: string[]): string =>
  [`${from}000000`, ...sockets, `${from + 5}000000`, '', ''].join('\n');

test('reads rounds with one socket', () =>
  expect(ssReadings(`${round(1000, socket(20))}${round(1030, socket(21, ' retrans:1/12'))}1060`)).toEqual([
    {
      ...{ fromUnixMs: 1000, untilUnixMs: 1005, cwndPackets: 20, mssBytes: 1448 },
      ...{ rttMs: 103.25, minRttMs: 100.5, retransmitted: 0 },
    },
    {
      ...{ fromUnixMs: 1030, untilUnixMs: 1035, cwndPackets: 21, mssBytes: 1448 },
      ...{ rttMs: 103.25, minRttMs: 100.5, retransmitted: 12 },
    },
  ]));

test('leaves out rounds with none or several, and one that was cut off', () =>
  expect(
    ssReadings(`${round(1)}${round(2, socket(1), socket(2))}${round(3, socket(3)).slice(0, -2)}`),
  ).toEqual([]));
