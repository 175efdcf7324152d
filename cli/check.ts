import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { filesNoted, withFolders, readLog } from '../node/logFiles.ts';
import { printable } from '../node/print.ts';
import type { Shell } from './shell.ts';
import { SCHEMA_ID } from '../src/telemetry/schema/versions.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';

export function addCheck(program: Command, shell: Shell): void {
  program
    .command('check')
    .description('validate session logs and report what is wrong and where')
    .argument('<session...>', 'session logs written by the page or by "pitwall compare", or folders of them')
    .action(async (files: string[]) => {
      let wrong = 0;
      for (const file of filesNoted(withFolders(files))) {
        const line = await verdictOn(file);
        const stream = line.ok ? process.stdout : process.stderr;
        stream.write(printable(`${file}: ${line.ok ? line.value : line.error}\n`));
        wrong += line.ok ? 0 : 1;
      }
      if (wrong > 0) shell.exit(1);
    });
}

async function verdictOn(file: string) {
  const session = await readLog(file);
  return session.ok
    ? { ok: true as const, value: `valid ${await versionOf(file)}, ${formatEvents(session.value)}` }
    : session;
}

const HEAD_BYTES = 4096;

/** The version that a valid log was written in: it is the first field that Pitwall writes. */
async function versionOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES) });
    const head = buffer.toString('utf8', 0, bytesRead);
    return /"schema"\s*:\s*"(pitwall-session\/\d+)"/.exec(head)?.[1] ?? SCHEMA_ID;
  } finally {
    await handle.close();
  }
}

function formatEvents(log: SessionLog): string {
  const kinds = new Map<string, number>();
  for (const { kind } of log.events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const counts = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ');
  return `${log.events.length} events (${counts}).`;
}
