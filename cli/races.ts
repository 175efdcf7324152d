import type { Command } from 'commander';
import { readLog } from '../node/logFiles.ts';
import { printable, warn } from '../node/print.ts';
import { option, withOptions } from './declareOptions.ts';
import { outFile } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import { writeAtomically } from '../node/files.ts';
import { readPacketFacts } from '../lab/packets/readPacketFacts.ts';
import { type RaceSource, raceSourceOf, readAnswers } from '../lab/packets/raceSource.ts';
import { inconsistencies } from '../src/telemetry/join/transportSources.ts';
import { withTransport } from '../src/telemetry/join/joinTransport.ts';
import { carriedBy, createIdOf } from '../src/telemetry/join/transportOfPackets.ts';
import { racesIn } from '../src/telemetry/packets/packetRaces.ts';
import { textTable } from '../node/textTable.ts';
import { racesByCause } from '../src/analysis/metrics/racing.ts';
import { raceTally } from '../src/analysis/transport/races.ts';
import { formatInteger, formatSize } from '../src/shared/format.ts';
import type { TransportEvent } from '../src/telemetry/event.ts';
import type { ConnectionAttempt, PacketFacts } from '../src/telemetry/packets/packetFacts.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';

export function addRaces(program: Command, shell: Shell): void {
  const command = program
    .command('races')
    .description(
      "add the races in a browser's NetLog, or in a capture, to a session log; or print those in a capture",
    )
    .argument('<file>', 'a session log, or a capture of packets (pcap or pcapng) alone')
    .argument(
      '[recording]',
      'what was recorded with the session: the file that Chromium wrote with --log-net-log=FILE --net-log-capture-mode=Default, or a capture at the client',
    );
  withOptions(
    command,
    'inputs',
    option(
      '--access-log <file>',
      "the origin's access log, which says what each connection of a capture carried",
    ),
  );
  withOptions(command, 'output', outFile('write the session log with its races to this file'))
    .addHelpText(
      'after',
      `
docs/browsers.md explains the outcomes. The exit code is 1 when transport sources contradict each other.

Examples:
  pitwall races runs/lap.json net.json --out runs/lap-with-races.json
  pitwall races capture.pcap`,
    )
    .action(async (file: string, recording: string | undefined, options: RacesOptions) => {
      if (recording === undefined) return printCapture(file, options);
      const faults = await runRaces(file, recording, options);
      if (faults.length > 0) shell.exit(1);
    });
}

interface RacesOptions {
  readonly accessLog?: string;
  readonly out?: string;
}

/** Prints the races, and returns where the sources contradict each other. @throws Error in one sentence */
async function runRaces(session: string, recording: string, options: RacesOptions): Promise<string[]> {
  const log = await readLog(session);
  if (!log.ok) throw new Error(`${session}: ${log.error}`);
  const source = await raceSourceOf(recording);
  const { transport, notes, knowsHandshakes } = await source.read(recording, {
    log: log.value,
    accessLog: options.accessLog ?? null,
  });
  if (transport.length === 0)
    throw new Error(
      `${recording}: It has no request of ${session}: it is of another session, or the clock was set in between.`,
    );
  const reported = withTransport(log.value, source.id, transport);
  if (options.out !== undefined) writeAtomically(options.out, JSON.stringify(reported));
  process.stdout.write(`${raceLines(reported, { source, knowsHandshakes }).join('\n')}\n`);
  for (const note of notes) warn(note);
  const faults = inconsistencies(reported);
  for (const fault of faults) process.stderr.write(printable(`${session}: ${fault}\n`));
  return faults;
}

/** Formats what a source reported of a session, for people: races by outcome, connections, broken periods. */
function raceLines(
  log: SessionLog,
  { source, knowsHandshakes }: { readonly source: RaceSource; readonly knowsHandshakes: boolean },
): string[] {
  const transports = log.events.filter(
    (event): event is TransportEvent => event.kind === 'transport' && event.source === source.id,
  );
  const races = raceTally(log, source.id).map(({ outcome, discovery, later }) => [
    outcome,
    '',
    `${discovery}`,
    `${later}`,
  ]);
  const causes = source.id === 'netlog' ? Object.entries(racesByCause.of(log).by ?? {}) : [];
  const connections = transports.flatMap((event) =>
    event.connection ? [connectionRow(event, knowsHandshakes ? 'never' : 'unknown')] : [],
  );
  const periods = transports
    .flatMap((event) => (event.requestId === null ? event.races : []))
    .map(({ startMs, endMs, cause }) => {
      const until = endMs === null ? 'the end of the NetLog' : `${seconds(endMs)} s`;
      return `Alt-Svc broken from ${seconds(startMs)} s to ${until}: ${cause ?? 'cause unknown'}`;
    });
  return [
    textTable([['races', '', 'discovery', 'later'], ...races]),
    '',
    ...(causes.length > 0
      ? [textTable([['cause', 'races'], ...causes.map(([cause, count]) => [cause, `${count}`])]), '']
      : []),
    textTable([
      ['connection', 'transport', 'handshake', '0-RTT', 'sent', 'received', 'lost', 'closed'],
      ...connections,
    ]),
    ...(periods.length > 0 ? ['', ...periods] : []),
  ];
}

function connectionRow({ connectionId, connection }: TransportEvent, noHandshake: string): string[] {
  const { transport, handshakeMs, zeroRtt, packetsSent, packetsReceived, packetsLost, close } = connection!;
  return [
    connectionId ?? 'unknown',
    transport,
    handshakeMs === null ? noHandshake : `${Math.round(handshakeMs)} ms`,
    zeroRtt ?? '',
    ...[packetsSent, packetsReceived, packetsLost].map((count) => (count === null ? '' : String(count))),
    // Chromium's name of the error; its details stand in the session's log.
    close?.split(':')[0] ?? '',
  ];
}

const seconds = (ms: number | null): string => (ms === null ? 'unknown' : (ms / 1000).toFixed(1));

/** Prints what a capture says without a session. @throws Error in one sentence */
async function printCapture(file: string, { accessLog, out }: RacesOptions): Promise<void> {
  if ((await raceSourceOf(file)).id !== 'packets')
    throw new Error(
      `${file}: It is no capture of packets; a session log needs a NetLog or a capture behind it.`,
    );
  if (out !== undefined)
    throw new Error('--out needs a session log, to which the races of a capture are added.');
  const facts = await readPacketFacts(file);
  const carried = accessLog === undefined ? null : carriedBy(facts, await readAnswers(accessLog));
  const requests = new Map<ConnectionAttempt, number>();
  for (const { attempt } of carried ?? []) requests.set(attempt, (requests.get(attempt) ?? 0) + 1);
  process.stdout.write(
    `${captureLines(facts, carried && requests)
      .map(printable)
      .join('\n')}\n`,
  );
  for (const note of [...facts.notes, ...facts.lacking.map((sentence) => `${file}: ${sentence}`)]) warn(note);
}

function captureLines(facts: PacketFacts, requests: ReadonlyMap<ConnectionAttempt, number> | null): string[] {
  const { attempts, spanUnixMs } = facts;
  const idOf = createIdOf(facts);
  const at = (unixMs: number | null): string =>
    unixMs === null ? 'never' : ((unixMs - spanUnixMs!.from) / 1000).toFixed(3);
  const rows = attempts.map((each) => [
    idOf(each),
    each.version ? `QUIC ${each.version}` : each.protocol.toUpperCase(),
    each.serverName ?? each.server.address,
    each.alpn?.join(' ') ?? '',
    each.startUnixMs === null ? 'unknown' : at(each.startUnixMs),
    at(each.answeredUnixMs),
    at(each.readyUnixMs),
    ...[
      each.end ? at(each.end.atUnixMs) : at(each.lastUnixMs),
      each.end ? `${each.end.how} (${each.end.by})` : 'last packet',
    ],
    ...[each.sentBytes, each.receivedBytes].map(formatSize),
    ...(requests ? [formatInteger(requests.get(each) ?? 0)] : []),
  ]);
  const races = racesIn(attempts).map(({ host, attempts: own, headStartMs, winner }) => [
    host,
    own.map((each) => idOf(each)).join(' '),
    headStartMs.toFixed(1),
    winner ? idOf(winner) : 'nobody',
  ]);
  const [times, more] = [['start', 'answer', 'ready', 'end', 'by'], requests ? ['requests'] : []];
  return [
    textTable(
      [['attempt', 'transport', 'server', 'offers', ...times, 'sent', 'received', ...more], ...rows],
      { left: 4, gap: '  ', indent: '' },
    ),
    '',
    races.length === 0
      ? 'No attempts over QUIC and TCP raced.'
      : textTable([['race', 'attempts', 'head start of QUIC, ms', 'winner'], ...races]),
  ];
}
