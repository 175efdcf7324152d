import type { Command } from 'commander';
import { readLog } from '../node/logFiles.ts';
import { printable, warn } from '../node/print.ts';
import { withOptions } from './declareOptions.ts';
import { outFile } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import { writeAtomically } from '../node/files.ts';
import { readNetLogFile } from '../lab/browser/chromium/readNetLogFile.ts';
import { inconsistencies, unknownRaces } from '../src/telemetry/join/transportSources.ts';
import { netLogClockMs, onClock } from '../src/telemetry/join/netLogClock.ts';
import { withTransport } from '../src/telemetry/join/joinTransport.ts';
import { transportOfNetLog } from '../src/telemetry/join/transportOfBrowser.ts';
import { textTable } from '../node/textTable.ts';
import { racesByCause } from '../src/analysis/metrics/racing.ts';
import { raceTally } from '../src/analysis/transport/races.ts';
import type { TransportEvent } from '../src/telemetry/event.ts';
import type { NetLogFacts } from '../src/telemetry/netlog/netLogFacts.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';

export function addRaces(program: Command, shell: Shell): void {
  const command = program
    .command('races')
    .description("add the races in a browser's NetLog to a session log, and print a summary")
    .argument('<session.json>', 'a session log')
    .argument(
      '<netlog.json>',
      'the file that Chromium wrote with --log-net-log=FILE --net-log-capture-mode=Default',
    );
  withOptions(command, 'output', outFile('write the session log with its races to this file'))
    .addHelpText(
      'after',
      `
docs/browsers.md explains the outcomes. The exit code is 1 when DevTools and NetLog contradict each other.

Example:
  pitwall races runs/lap.json net.json --out runs/lap-with-races.json`,
    )
    .action(async (session: string, netLog: string, { out }: { out?: string }) => {
      const faults = await runRaces(session, netLog, out);
      if (faults.length > 0) shell.exit(1);
    });
}

/** Prints the races, and returns where the sources contradict each other. @throws Error in one sentence */
async function runRaces(session: string, netLog: string, out: string | undefined): Promise<string[]> {
  const log = await readLog(session);
  if (!log.ok) throw new Error(`${session}: ${log.error}`);
  const facts = await readNetLogFile(netLog);
  if (!facts.ok) throw new Error(`${netLog}: ${facts.error}`);
  const aheadMs = netLogClockMs(log.value, facts.value.requests);
  const races = transportOfNetLog(onClock(log.value, aheadMs), facts.value);
  if (races.length === 0)
    throw new Error(
      `${netLog}: It has no request of ${session}: it is the NetLog of another session, or the clock was set in between.`,
    );
  const reported = withTransport(log.value, 'netlog', races);
  if (out !== undefined) writeAtomically(out, JSON.stringify(reported));
  process.stdout.write(`${raceLines(reported, facts.value).join('\n')}\n`);
  if (aheadMs !== 0) warn(`${netLog}: ${formatClock(aheadMs)}`);
  for (const sentence of unknownRaces(facts.value)) warn(`${netLog}: ${sentence}.`);
  const faults = inconsistencies(reported);
  for (const fault of faults) process.stderr.write(printable(`${session}: ${fault}\n`));
  return faults;
}

const formatClock = (aheadMs: number): string =>
  `Its clock is ${seconds(Math.abs(aheadMs))} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the session; its times are moved by as much.`;

/** Formats what a session's NetLog reported, for people: races by outcome, connections, broken periods. */
function raceLines(log: SessionLog, { lacking }: NetLogFacts): string[] {
  // A browser that calls the end of QUIC's handshake otherwise may well have had one.
  const noHandshake = lacking.includes('QUIC_SESSION_CRYPTO_HANDSHAKE_COMPLETE') ? 'unknown' : 'never';
  const reported = log.events.filter((event) => event.kind === 'transport' && event.source === 'netlog');
  const transports = reported as readonly TransportEvent[];
  const races = raceTally(log).map(({ outcome, discovery, later }) => [
    outcome,
    '',
    `${discovery}`,
    `${later}`,
  ]);
  const causes = Object.entries(racesByCause.of(log).by ?? {}).map(([cause, count]) => [cause, `${count}`]);
  const connections = transports.flatMap((event) =>
    event.connection ? [connectionRow(event, noHandshake)] : [],
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
    ...(causes.length > 0 ? [textTable([['cause', 'races'], ...causes]), ''] : []),
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
