import { describe, expect, test } from 'vitest';
import { fairnessOf } from './fairnessOf.ts';
import { exampleSource } from '../figures/exampleSource.testing.ts';
import { exampleLog } from '../../../src/telemetry/exampleLog.testing.ts';

const played = (tcpController: string | null, quicController: string | null) =>
  fairnessOf(
    exampleSource({ transports: ['h2', 'h3-only', 'h3-racing'] }, () => ({
      environment: { ...exampleLog().environment, tcpController, quicController },
    })),
  );
const senders = ({ table }: ReturnType<typeof fairnessOf>) =>
  table.rows.find(([label]) => label === 'sender of the transport of the arm');

describe('arms', () => {
  test('that all send alike are alike', () => {
    const found = played('cubic', 'cubic');
    expect(found.sentence).toContain('nothing in the logs differs between the arms');
    expect(senders(found)).toEqual([expect.any(String), 'cubic', 'cubic', 'cubic', 'same']);
  });

  test('with a sender each differ by what they send with, though every session has both senders', () => {
    const found = played('cubic', 'cubic-x2');
    expect(found.sentence).toBe(
      'The arms also differ in other ways: sender of the transport of the arm differs. Every verdict is about an arm together with its environment.',
    );
    expect(senders(found)!.slice(1)).toEqual(['cubic', 'cubic-x2', 'cubic or cubic-x2', 'differs']);
  });

  test('that name their browsers differ in the versions of one browser only', () => {
    const playedIn = (browsers: string[] | null, browserOf: (named: string, transport: string) => string) =>
      fairnessOf(
        exampleSource(
          { transports: ['h2', 'h3-only'], ...(browsers && { browsers }) },
          ({ browser = '', transport }) => ({
            environment: {
              ...exampleLog().environment,
              tcpController: 'reno',
              quicController: 'reno',
              browser: browserOf(browser, transport),
            },
          }),
        ),
      );
    const both = ['chromium', 'firefox'];
    const named = playedIn(both, (browser) => `${browser} 153`);
    expect(named.sentence).toContain('nothing in the logs differs between the arms');
    expect(named.table.rows[0]!.at(-1)).toBe('differs');
    const differ = 'in other ways: browser differs';
    expect(playedIn(both, (browser, transport) => `${browser} of ${transport}`).sentence).toContain(differ);
    expect(playedIn(null, (_, transport) => `Firefox of ${transport}`).sentence).toContain(differ);
  });

  test('that name their players differ in the versions of one player only', () => {
    const playedBy = (versionOf: (transport: string) => string) =>
      fairnessOf(
        exampleSource(
          { transports: ['h2', 'h3-only'], players: ['dashjs', 'shaka'] },
          ({ player, transport }) => ({
            environment: {
              ...exampleLog().environment,
              tcpController: 'reno',
              quicController: 'reno',
              ...(player === 'shaka' && { player: `Shaka ${versionOf(transport)}`, dashjsVersion: null }),
            },
          }),
        ),
      );
    expect(playedBy(() => '5.2.12').sentence).toContain('nothing in the logs differs between the arms');
    expect(playedBy((transport) => `5.2 of ${transport}`).sentence).toContain('player differs');
  });

  test('that other versions of Pitwall played are named, also where they are alike in all arms', () => {
    const [one, other] = ['0.1.0+g0123456789', '0.1.0+gabcdef0123.dirty'];
    const playedBy = (versionOf: (transport: string, repeat: number) => string) =>
      fairnessOf(
        exampleSource({ transports: ['h2', 'h3-only'], repeats: 2 }, ({ transport, design }) => ({
          environment: {
            ...exampleLog().environment,
            tcpController: 'reno',
            quicController: 'reno',
            pitwallVersion: versionOf(transport, design.repeat),
          },
        })),
      );
    const apart = playedBy((transport) => (transport === 'h2' ? one : other));
    expect(apart.sentence).toBe(
      'The arms also differ in other ways: the version of Pitwall differs. Every verdict is about an arm together with its environment. The sessions were recorded by 2 versions of Pitwall: differences between them may be those of its code.',
    );
    const mixed = playedBy((_, repeat) => (repeat === 0 ? one : other));
    expect(mixed.sentence).toContain('recorded by 2 versions of Pitwall');
    expect(mixed.table.rows.find(([label]) => label === 'Pitwall')!.at(-1)).toBe('same');
    expect(playedBy(() => one).sentence).not.toContain('versions');
  });

  test('whose senders no source reported have no such line', () => {
    const found = played(null, null);
    expect(senders(found)).toBeUndefined();
    expect(found.sentence).toContain(
      'The congestion controllers of TCP and QUIC are not known in 3 sessions',
    );
  });
});
