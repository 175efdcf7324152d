import { expect, test, vi } from 'vitest';
import { main } from './main.ts';
import { EXIT } from '../node/exitCodes.ts';

/** Runs a command line that plays nothing; resolves to what it printed and its exit code. */
async function compare(...args: string[]): Promise<{ code: number; printed: string }> {
  let printed = '';
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => Boolean((printed += String(text)))),
  );
  try {
    return { code: await main(['compare', ...args], '.'), printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

test.each([
  [[], '2 transports', 'compared: transports'],
  [['--rules', 'bola,lowest'], '1 transport ', 'compared: rules'],
  [['--rules', 'bola,lowest', '--transports', 'h1,h2,h3-only'], '3 transports', 'compared: transports'],
])('pairs without a campaign file, %j: %s, %s', async (args, transports, compared) => {
  const { code, printed } = await compare('--pairs', '6', '--dry-run', ...args);
  expect(code).toBe(EXIT.done);
  expect(printed).toContain(transports);
  expect(printed).toContain(compared);
});

const PATHWAYS = ['--mpd', 'https://a.test/a.mpd', '--pathway', 'tcp=https://b.test/a.mpd'];

test.each([
  ['--pairs takes a whole number of 6 or more.', ['--pairs', '5']],
  ['--pairs 1001: At most 1000 are played without a campaign file.', ['--pairs', '1001']],
  ['--pairs cannot be combined with --shard.', ['--pairs', '6', '--shard', '1/2']],
  ['--pairs cannot be combined with --pathway', ['--pairs', '6', ...PATHWAYS]],
  ['set "repeats" in x.json.', ['x.json', '--pairs', '6']],
  ['--block needs a campaign file', ['--pairs', '6', '--block', '1']],
  ['--dry-run needs a campaign file', ['--dry-run']],
  ['Nothing to compare', ['--pairs', '6', '--transports', 'h2']],
])('refused in a sentence: %s', async (sentence, args) => {
  const { code, printed } = await compare(...args);
  expect(code).toBe(EXIT.usage);
  expect(printed).toContain(sentence);
});
