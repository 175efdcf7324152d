import type { Command } from 'commander';
import { raceLines } from './races/raceLines.ts';
import { readLog } from './readLog.ts';
import type { Shell } from './shell.ts';
import { writeAtomically } from './writeAtomically.ts';
import { readNetLogFile } from '../lab/browser/readNetLogFile.ts';
import { inconsistencies } from '../src/telemetry/netlog/consistentPairs.ts';
import { transportOfNetLog } from '../src/telemetry/netlog/transportOfNetLog.ts';
import { withTransport } from '../src/telemetry/netlog/withTransport.ts';

export function addRaces(program: Command, shell: Shell): void {
  program
    .command('races')
    .description("add the races of a browser's NetLog to a session, and sum them up")
    .argument('<session.json>', 'a session file')
    .argument('<netlog.json>', 'what Chromium wrote with --log-net-log=FILE --net-log-capture-mode=Default')
    .option('--out <file>', 'write the session with its races here')
    .addHelpText(
      'after',
      `
docs/race-truth.md says what the outcomes mean. The exit code is 1 when DevTools and NetLog do not speak of the same.

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
        throw new Error(`${netLog}: No request of ${session} is in it: it is the NetLog of another session.`);
      const told = withTransport(log.value, 'netlog', races);
      if (out !== undefined) writeAtomically(out, JSON.stringify(told));
      process.stdout.write(`${raceLines(told).join('\n')}\n`);
      const faults = inconsistencies(told);
      for (const fault of faults) process.stderr.write(`${session}: ${fault}\n`);
      if (faults.length > 0) shell.exit(1);
    });
}
