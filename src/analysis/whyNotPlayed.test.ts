import { expect, test } from 'vitest';
import { whyNotPlayed } from './whyNotPlayed.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

const error = (message: string, fatal: boolean) => ({ kind: 'error', message, fatal });
const playing = { kind: 'playback', state: 'playing' };
const log = (...events: object[]): SessionLog => ({ events }) as unknown as SessionLog;

test.each([
  ['a frame, and an end after it', log(playing, error('Gone.', true)), null],
  [
    'what ended playback, not what came before or after',
    log(error('a', false), error('b', true), error('c', false)),
    'b',
  ],
  [
    'the player’s sentence, not the words of dash.js',
    log(error('parsing failed', true), {
      ...error('It is a web page.', true),
      source: 'player',
      code: 'ended',
    }),
    'It is a web page.',
  ],
  ['the last error where none ended it', log(error('a', false), error('b', false)), 'b'],
  ['several lines', log(error('One\n  two.', true)), 'One two.'],
  ['no error', log(), 'Nothing was shown, and the log names no error.'],
])('%s', (_, session, words) => expect(whyNotPlayed(session)).toBe(words));
