import type { Command } from 'commander';
import { readLog } from '../node/logFiles.ts';
import { printable } from '../node/printable.ts';
import type { Shell } from './shell.ts';
import { writeAtomically } from '../node/files.ts';
import { readNetLogFile } from '../lab/browser/chromium/readNetLogFile.ts';
import { inconsistencies } from '../src/telemetry/join/transportSources.ts';
import { withTransport } from '../src/telemetry/join/joinTransport.ts';
import { transportOfNetLog } from '../src/telemetry/join/transportOfBrowser.ts';
import { textTable } from '../node/textTable.ts';
import { raceTally } from '../src/analysis/transport/races.ts';
import type { TransportEvent } from '../src/telemetry/event.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';

export function addRaces(program: Command, shell: Shell): void {
  program
    .command('races')
    .description("add the races in a browser's NetLog to a session log, and print a summary")
    .argument('<session.json>', 'a session log')
    .argument(
      '<netlog.json>',
      'the file that Chromium wrote with --log-net-log=FILE --net-log-capture-mode=Default',
    )
    .option('--out <file>', 'write the session log with its races to this file')
    .addHelpText(
      'after',
      `
docs/race-truth.md explains the outcomes. The exit code is 1 when DevTools and NetLog contradict each other.

Example:
  pitwall races runs/lap.json net.json --out runs/lap-with-races.json`,
    )
    .action(async (session: string, netLog: string, { out }: { out?: string }) => {
      const log = await readLog(session);
      if (!log.ok) throw new Error(`${session}: ${log.error}`);
      const facts = await readNetLogFile(netLog);
      if (!facts.ok) throw new Error(`${netLog}: ${facts.error}`);
      const races = transportOfNetLog(log.value, facts.value);
      if (races.length === 0)
        throw new Error(`${netLog}: It has no request of ${session}: it is the NetLog of another session.`);
      const reported = withTransport(log.value, 'netlog', races);
      if (out !== undefined) writeAtomically(out, JSON.stringify(reported));
      process.stdout.write(`${raceLines(reported).join('\n')}\n`);
      const faults = inconsistencies(reported);
      for (const fault of faults) process.stderr.write(printable(`${session}: ${fault}\n`));
      if (faults.length > 0) shell.exit(1);
    });
}

/** Formats what a session's NetLog reported, for people: races by outcome, connections, broken periods. */
function raceLines(log: SessionLog): string[] {
  const reported = log.events.filter((event) => event.kind === 'transport' && event.source === 'netlog');
  const transports = reported as readonly TransportEvent[];
  const races = raceTally(log).map(({ outcome, discovery, later }) => [
    outcome,
    '',
    `${discovery}`,
    `${later}`,
  ]);
  const connections = transports.flatMap((event) => (event.connection ? [connectionRow(event)] : []));
  const periods = transports
    .flatMap((event) => (event.requestId === null ? event.races : []))
    .map(({ startMs, endMs, cause }) => {
      const until = endMs === null ? 'the end of the NetLog' : `${seconds(endMs)} s`;
      return `Alt-Svc broken from ${seconds(startMs)} s to ${until}: ${cause ?? 'cause unknown'}`;
    });
  return [
    textTable([['races', '', 'discovery', 'later'], ...races]),
    '',
    textTable([
      ['connection', 'transport', 'handshake', '0-RTT', 'sent', 'received', 'lost', 'closed'],
      ...connections,
    ]),
    ...(periods.length > 0 ? ['', ...periods] : []),
  ];
}

function connectionRow({ connectionId, connection }: TransportEvent): string[] {
  const { transport, handshakeMs, zeroRtt, packetsSent, packetsReceived, packetsLost, close } = connection!;
  return [
    connectionId ?? 'unknown',
    transport,
    handshakeMs === null ? 'never' : `${Math.round(handshakeMs)} ms`,
    zeroRtt ?? '',
    ...[packetsSent, packetsReceived, packetsLost].map((count) => (count === null ? '' : String(count))),
    // Chromium's name of the error; its details stand in the session's log.
    close?.split(':')[0] ?? '',
  ];
}

const seconds = (ms: number | null): string => (ms === null ? 'unknown' : (ms / 1000).toFixed(1));
