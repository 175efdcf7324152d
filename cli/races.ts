import type { Command } from 'commander';
import { raceLines } from './races/raceLines.ts';
import { readLog } from '../node/readLog.ts';
import type { Shell } from './shell.ts';
import { writeAtomically } from '../node/writeAtomically.ts';
import { readNetLogFile } from '../lab/browser/readNetLogFile.ts';
import { inconsistencies } from '../src/telemetry/join/transportSources.ts';
import { withTransport } from '../src/telemetry/join/joinTransport.ts';
import { transportOfNetLog } from '../src/telemetry/join/transportOfBrowser.ts';

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
      for (const fault of faults) process.stderr.write(`${session}: ${fault}\n`);
      if (faults.length > 0) shell.exit(1);
    });
}
