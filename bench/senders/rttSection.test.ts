import { expect, test } from 'vitest';
import { serverTimingMs } from './rttSection.ts';

const header = 'rtt;dur=101.2, min-rtt;dur=100, cwnd;desc="48000"';

test.each([
  ['rtt', 101.2],
  ['min-rtt', 100],
  ['cwnd', null],
  ['lost', null],
])('%s', (name, wanted) => expect(serverTimingMs(header, name)).toBe(wanted));
test('no header tells nothing', () => expect(serverTimingMs(null, 'rtt')).toBeNull());
