import { isIP } from 'node:net';
import { InvalidArgumentError, type Command } from 'commander';
import { option, withOptions } from './declareOptions.ts';
import { outFile } from './sharedOptions.ts';
import { importCapture, readCapture } from '../experiment/simulate/importCapture.ts';
import { addTraces as keepTraces, keptNames } from '../experiment/simulate/traceStore.ts';
import { tracesFolder } from '../lab/tracesFolder.ts';
import { traceSets } from '../src/network/traceSets/traceSets.ts';
import { columnsNow, fittedTable } from '../node/fittedTable.ts';
import { mustBeWritable, writeAtomically } from '../node/files.ts';
import { warn } from '../node/print.ts';
import type { Idle, Sender } from '../src/network/capture/flowRates.ts';
import { formatCount, formatInteger, formatSize } from '../src/shared/format.ts';

export function addTraces(program: Command): void {
  const command = program
    .command('traces')
    .description('make network traces, and keep those that others publish (docs/networks.md)');
  command
    .command('add')
    .description('keep the traces of published sets that are in a folder; what is in a file says which it is')
    .argument('<path>', 'a file, or a folder with any folders below it')
    .action(runAdd);
  command
    .command('list')
    .description('print the published sets, where each is published, and how much of it is on this machine')
    .action(runList);
  const importing = command
    .command('import')
    .description('make a trace of what a server sent in a capture of packets (pcap or pcapng)')
    .argument('<capture>', 'a file of tcpdump, Wireshark or another program');
  withOptions(
    importing,
    'trace',
    option(
      '--address <ip>',
      'IP address of the server, repeatable: all that it sends (default: the pair of addresses with most bytes)',
      { parse: addressList },
    ),
    option('--interval <ms>', 'length of the pieces of the trace', { min: 10, preset: 500 }),
    option('--idle <how>', 'rate of a piece in which nothing came: 0, or that of the piece before', {
      choices: ['zero', 'hold'],
      preset: 'zero',
    }),
    option('--rtt <ms>', 'round-trip time of the whole trace (default: none)', { parse: roundTrip }),
  );
  withOptions(
    importing,
    'output',
    option('--list', 'only print who sent how much'),
    outFile('output file (default: the trace is printed)'),
  )
    .addHelpText(
      'after',
      `
Example:
  pitwall traces import session.pcapng --address 203.0.113.7 --out session.json
  pitwall sim --rules bola --traces session.json`,
    )
    .action(runImport);
}

async function runAdd(given: string): Promise<void> {
  const sets = await keepTraces(given);
  const found = sets.filter(({ found }) => found > 0);
  if (found.length === 0) throw new Error(`${given}: ${NO_TRACE}`);
  for (const { set, found: count, added } of found)
    process.stdout.write(
      `trace:${set.id}: ${count} of ${Object.keys(set.files).length} found, ${added} of them new on this machine\n`,
    );
  process.stdout.write(`They are kept in ${tracesFolder()}\n`);
}

const NO_TRACE =
  'No file in it is a trace of a set that Pitwall knows by name. pitwall traces list prints the sets.';

function runList(): void {
  for (const set of traceSets) {
    const here = `${keptNames(set).length} of ${Object.keys(set.files).length} on this machine`;
    const about = [set.label, `published in ${set.published}`, set.licence];
    process.stdout.write(`trace:${set.id}  ${here}\n${about.map((line) => `  ${line}\n`).join('')}`);
  }
  process.stdout.write('\nTo keep one: get its folder, then pitwall traces add FOLDER\n');
}

interface TraceOptions {
  readonly address?: readonly string[];
  readonly interval: number;
  readonly idle: Idle;
  readonly rtt?: number;
  readonly list?: true;
  readonly out?: string;
}

async function runImport(capture: string, options: TraceOptions): Promise<void> {
  const { address: addresses = [], interval: intervalMs, idle, rtt: rttMs = null, out } = options;
  if (options.list) {
    const { senders, notes } = await readCapture(capture, { intervalMs, addresses });
    notes.forEach(warn);
    process.stdout.write(`${formatSenders(senders)}\n`);
    return;
  }
  await mustBeWritable('--out', out);
  const { text, notes } = await importCapture(capture, { intervalMs, addresses, idle, rttMs });
  notes.forEach(warn);
  if (out === undefined) process.stdout.write(text);
  else writeAtomically(out, text);
}

/** More say nothing new on a screen. */
const MAX_SENDERS = 20;

function formatSenders(senders: readonly Sender[]): string {
  const rows = senders
    .slice(0, MAX_SENDERS)
    .map(({ name, packets, ipBytes, tcpBytes, udpBytes, flows, firstUnixMs, lastUnixMs }) => [
      ...[name, formatSize(ipBytes), formatSize(tcpBytes), formatSize(udpBytes)],
      ...[formatInteger(packets), formatInteger(flows), ((lastUnixMs - firstUnixMs) / 1000).toFixed(1)],
    ]);
  const head = ['sender', 'all', 'TCP', 'UDP', 'packets', 'flows', 'seconds'];
  const more = senders.length - rows.length;
  const table = fittedTable({ head, rows, names: 1 }, columnsNow());
  return more > 0 ? `${table}\n… and ${formatCount(more, 'other')}` : table;
}

function addressList(text: string, before: readonly string[] = []): readonly string[] {
  const version = isIP(text);
  if (version === 0) throw new InvalidArgumentError(`--address takes an IP address, not "${text}".`);
  // A URL has the short form of IPv6.
  const address = version === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text;
  return [...before, address];
}

function roundTrip(text: string): number {
  const ms = Number(text);
  if (!(ms >= 0 && ms < 10_000)) throw new InvalidArgumentError('--rtt takes ms, from 0 to below 10000.');
  return ms;
}
