import { describe, expect, test } from 'vitest';
import { createRedaction } from './createRedaction.ts';
import { everything } from './exampleSession.testing.ts';
import { exampleLog } from '../telemetry/exampleLog.testing.ts';
import { readSession } from '../telemetry/schema/readSession.ts';

const redacted = (text: string): string => createRedaction().text(text);

describe('what names a machine, its users or its network is replaced', () => {
  test.each([
    ['spawn /home/alice/.cache/pitwall/caddy ENOENT', 'spawn <path> ENOENT'],
    ['at Object (file:///Users/bob/x.ts:3:1)', 'at Object (<path>)'],
    ['C:\\Users\\bob\\log.json is full', '<path> is full'],
    ["open '/home/jörg müller/My Video.mp4' failed", "open '<path>' failed"],
    ["open '/home/O'Neil/a b' failed", "open '<path>' failed"],
    ['ENOENT: /home/jörg müller/log.json, again', 'ENOENT: <path>, again'],
    ['spawn /Users/王 伟/Library/My App ENOENT', 'spawn <path> ENOENT'],
    ['C:\\Users\\Jörg Müller\\run 1\\log.json is full', '<path> is full'],
    ['at C:\\Program Files (x86)\\Pitwall\\a b.js:3:1', 'at <path>'],
    ['C:/Users/Jörg Müller/log.json', '<path>'],
    ['/home/anna/Anna Maria Schmidt (1).json: It is empty.', '<path>: It is empty.'],
    ['C:\\Users\\bob,smith.json: no', '<path>: no'],
    ['/srv/Anna Maria Schmidt at home in Berlin in May.mp4: no', '<path>: no'],
    ['\\\\nas\\jörg müller\\v.mpd', '<path>'],
    ['getaddrinfo ENOTFOUND nas', 'getaddrinfo ENOTFOUND private-1.invalid'],
    ['getaddrinfo EAI_AGAIN büro-nas:443', 'getaddrinfo EAI_AGAIN private-1.invalid:443'],
    ['queryA ENOTFOUND cdn.example.com', 'queryA ENOTFOUND cdn.example.com'],
    ['http://localhost:5173/@fs/home/alice/main.ts', 'http://localhost:5173/@fs<path>'],
    ['http://10.1.2.3:8080/a.mpd', 'http://private-1.invalid:8080/a.mpd'],
    ['https://alice:secret@nas/v/a.mpd?token=x', 'https://private-1.invalid/v/a.mpd?token=*'],
    ['https://93.184.216.34/a/b.m4s', 'https://private-1.invalid/a/b.m4s'],
    ['https://[fd12:3456::1]:443/a', 'https://private-1.invalid:443/a'],
    ['getaddrinfo ENOTFOUND printer.lan', 'getaddrinfo ENOTFOUND private-1.invalid'],
    ['from fe80::1ff:fe23:4567:890a%eth0', 'from private-1.invalid'],
    ['2a01:4f8:c17::1 closed', 'private-1.invalid closed'],
    ['lease of 00:1b:44:11:3a:b7', 'lease of private-1.invalid'],
    ['10.0.0.1 and 10.0.0.2 and 10.0.0.1', 'private-1.invalid and private-2.invalid and private-1.invalid'],
  ])('%s', (text, expected) => {
    expect(redacted(text)).toBe(expected);
    expect(redacted(expected)).toBe(expected);
  });

  test('a machine is numbered, in the order in which it is met', () => {
    const log = exampleLog();
    const of = (id: string): typeof log => ({
      ...log,
      environment: { ...log.environment, machine: { ...BUSY, id } },
    });
    const redaction = createRedaction();
    const ids = ['bd3f0a11', '00aa11bb', 'bd3f0a11'].map(
      (id) => redaction.log(of(id)).environment.machine?.id,
    );
    expect(ids).toEqual(['machine-1', 'machine-2', 'machine-1']);
  });
});

const BUSY = {
  cores: 2,
  meanBusyPercent: 1,
  worstBusyPercent: 2,
  windowMs: 2000,
  latestTimerMs: 3,
  flags: [],
};

test.each([
  'https://origin.test:8443/demo/video-1.m4s',
  'http://localhost:8080/?rule=*',
  'https://127.0.0.1:8443/a/b/c.mpd',
  'https://cdn.example.com/home/alice/v.mpd',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
  'dashjs-bola/h3-racing',
  'audio/mp4; codecs="mp4a.40.2"',
  'vp09.00.30.08',
  'All 2 cores were at least 95 % busy for 12 s of 20 s.',
  '198.51.100.2',
  'at 12:34:56 of 2026-11-29T15:00:00.000Z',
  '4.2 / 8 Mbit/s',
])('what is the same on every machine stays: %s', (text) => expect(redacted(text)).toBe(text));

test('a log without such names stays as it is', () => {
  expect(createRedaction().log(everything)).toEqual(everything);
  expect(readSession(JSON.stringify(createRedaction().log(everything))).ok).toBe(true);
});
