import { describe, expect, test } from 'vitest';
import { fairnessOf } from './fairnessOf.ts';
import { exampleSource } from '../figures/exampleSource.ts';
import { exampleLog } from '../../telemetry/exampleLog.ts';

const played = (tcpController: string | null, quicController: string | null) =>
  fairnessOf(
    exampleSource({ transports: ['h2', 'h3-only', 'h3-racing'] }, () => ({
      environment: { ...exampleLog().environment, tcpController, quicController },
    })),
  );
const senders = ({ table }: ReturnType<typeof fairnessOf>) =>
  table.rows.find(([label]) => label === 'sender of what the arm speaks');

describe('arms', () => {
  test('that all send alike are alike', () => {
    const found = played('cubic', 'cubic');
    expect(found.sentence).toContain('nothing that the logs tell differs between the arms');
    expect(senders(found)).toEqual([expect.any(String), 'cubic', 'cubic', 'cubic', 'same']);
  });

  test('with a sender each differ by what they send with, though every session has both senders', () => {
    const found = played('cubic', 'cubic-x2');
    expect(found.sentence).toBe(
      'Not all is alike between the arms: sender of what the arm speaks differs. Read every verdict as that of an arm with what it ran with.',
    );
    expect(senders(found)!.slice(1)).toEqual(['cubic', 'cubic-x2', 'cubic or cubic-x2', 'differs']);
  });

  test('of which nobody told what they send with have no such line', () => {
    const found = played(null, null);
    expect(senders(found)).toBeUndefined();
    expect(found.sentence).toContain('What TCP and QUIC send with is not told in 3 sessions');
  });
});
