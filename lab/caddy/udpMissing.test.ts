import { expect, test } from 'vitest';
import { udpMissing } from './udpMissing.ts';

test('UDP works from this machine to itself', async () => expect(await udpMissing()).toBeNull());

// 192.0.2.1 is for documentation only (RFC 5737): no machine has it.
test('the reason is one sentence', async () =>
  expect(await udpMissing('192.0.2.1')).toMatch(
    /^UDP does not get through on 192\.0\.2\.1 of this machine \(bind EADDRNOTAVAIL 192\.0\.2\.1\)$/,
  ));
