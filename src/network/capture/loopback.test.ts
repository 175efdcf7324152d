import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createCaptureReader } from './captureReader.ts';
import { createFlowRates } from './flowRates.ts';
import { ipPacketOf } from './ipPacket.ts';

/** What dpkt reads in the two captures: `golden/loopback.py` made them of packets of the kernel. */
interface Golden {
  readonly server: string;
  readonly intervalMs: number;
  readonly files: Readonly<
    Record<string, { packets: number; tcpBytes: number; udpBytes: number; bytesByInterval: number[] }>
  >;
}

const fileOf = (name: string): URL => new URL(`golden/${name}`, import.meta.url);
const { server, intervalMs, files } = JSON.parse(readFileSync(fileOf('loopback.json'), 'utf8')) as Golden;

test.each(Object.entries(files))('%s is read as dpkt reads it', (name, expected) => {
  const reader = createCaptureReader();
  const rates = createFlowRates(intervalMs, [server]);
  const packets = reader.push(readFileSync(fileOf(name)));
  expect(reader.end()).toEqual({ leftBytes: 0, lostPackets: null });
  for (const captured of packets) rates.add(captured.atUnixMs, ipPacketOf(captured)!);
  expect(packets).toHaveLength(expected.packets);
  const [{ tcpBytes, udpBytes, bytesByInterval }] = rates.senders() as [ReturnType<typeof rates.senders>[0]];
  expect({ tcpBytes, udpBytes }).toEqual({ tcpBytes: expected.tcpBytes, udpBytes: expected.udpBytes });
  expect(bytesByInterval()).toEqual(expected.bytesByInterval);
});
