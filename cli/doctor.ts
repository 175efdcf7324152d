import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { isIP } from 'node:net';
import { option, withOptions } from './declareOptions.ts';
import { streamUrl } from './options.ts';
import { junit, trust } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import { formatExamined, formatJunit, jsonOf, type Examined } from '../experiment/doctor/formatDiagnosis.ts';
import { gatherEvidence } from '../experiment/doctor/gatherEvidence.ts';
import { tools } from '../lab/tools.ts';
import { EXIT } from '../node/exitCodes.ts';
import { mustBeWritable, writeAtomically } from '../node/files.ts';
import { print, printable } from '../node/print.ts';
import { trustedBy } from '../node/trust.ts';
import { diagnose } from '../src/doctor/diagnose.ts';

export function addDoctor(program: Command, shell: Shell): void {
  const command = program
    .command('doctor')
    .description(
      'find what is wrong with a stream and its servers, and how to correct it, within 20 s (docs/doctor.md)',
    )
    .argument('<url>', 'the address of an MPD, of an HLS playlist, or of any file', streamUrl('<url>'));
  withOptions(
    command,
    'check',
    option('--from <url>', 'the site whose pages play the stream', {
      parse: (text: string) => new URL(streamUrl('--from')(text)).origin,
      preset: 'https://player.example',
    }),
    option(
      '--known <url>',
      'a file of a server that answers over QUIC, to find out whether UDP is blocked here',
      {
        parse: streamUrl('--known'),
      },
    ),
    option('--resolver <address>', 'IP address of the DNS server to ask (default: the system)', {
      parse: resolverOf,
    }),
    option('--max-bytes <n>', 'bytes of bodies that all requests together may read', {
      min: 10_000,
      preset: 16_000_000,
    }),
    option('--no-browser', 'start no browser: nothing is found out about QUIC and codecs'),
    trust('requests and browsers trust'),
  );
  withOptions(
    command,
    'output',
    option('--json', 'print findings, fixes and everything that was answered as JSON'),
    junit(),
  ).action(async (url: string, options: Asked) => {
    await mustBeWritable('--junit', options.junit);
    const examined = await examine(url, options);
    if (options.junit !== undefined) writeAtomically(options.junit, formatJunit(examined));
    print(options.json ? JSON.stringify(jsonOf(examined), null, 2) : printable(formatExamined(examined)));
    shell.exit(codeOf(examined));
  });
}

interface Asked {
  readonly from: string;
  readonly known?: string;
  readonly resolver?: string;
  readonly maxBytes: number;
  readonly browser: boolean;
  readonly trust?: string;
  readonly json?: boolean;
  readonly junit?: string;
}

async function examine(
  url: string,
  { from, known, resolver, maxBytes, browser, trust: file }: Asked,
): Promise<Examined> {
  const startedMs = performance.now();
  const { chromiumPath, noBrowser } = browser
    ? findChromium()
    : { chromiumPath: null, noBrowser: '--no-browser' };
  const gathered = await gatherEvidence(url, {
    pageOrigin: from,
    maxBytes,
    trusted: await trustedBy({ trust: file }),
    resolver,
    knownUrl: known,
    chromiumPath,
    noBrowser,
  });
  return { ...gathered, ...diagnose(gathered.evidence), elapsedMs: performance.now() - startedMs };
}

/** Finds the browser of set-up; its absence is no failure. */
function findChromium(): { chromiumPath: string | null; noBrowser: string } {
  try {
    const { chromium, missing } = tools();
    return { chromiumPath: chromium, noBrowser: missing['chromium'] ?? 'there is no Chromium' };
  } catch (error) {
    return { chromiumPath: null, noBrowser: (error as Error).message };
  }
}

/** Reads the address of a DNS server, such as `1.1.1.1`, `127.0.0.1:5353` or `[::1]:53`. */
function resolverOf(text: string): string {
  const host = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? (isIP(text) === 6 ? text : text.replace(/:\d+$/, ''));
  if (isIP(host) === 0)
    throw new InvalidArgumentError('--resolver takes an IP address, with a port or without.');
  return text;
}

/** The exit code of the worst finding; notes are no reason to fail. */
function codeOf({ findings }: Examined): number {
  const has = (severity: string): boolean => findings.some(({ check }) => check.severity === severity);
  if (has('problem')) return EXIT.problemFound;
  return has('warning') ? EXIT.warningFound : EXIT.done;
}
