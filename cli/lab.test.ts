import { describe, expect, it } from 'vitest';
import { calibrationCase, type Figures } from '../lab/link/calibrate/calibrationCase.ts';
import { judge } from '../lab/link/calibrate/judge.ts';
import { calibrationTable, tcpUnderLossTable, codelTable } from './lab.ts';
import { codelCase, judgeCodel } from '../lab/link/calibrate/codelCase.ts';

const both = <T>(value: T) => ({ down: value, up: value });
const figures: Figures = {
  rttMs: [21.5],
  loss: { down: { sent: 9000, lost: 85 }, up: { sent: 9000, lost: 1 } },
  udpKbps: { down: 996, up: null },
  queuePackets: both(30),
  tcpKbps: { reno: 993, bbr: null },
  machineDrops: 0,
  heldBack: { down: 1, up: 1 },
};

function resultOf(loss: number) {
  const asked = calibrationCase(1000, 20, loss);
  return { asked, figures, verdicts: judge(asked, figures, 0.01), again: loss === 0 };
}

describe('calibrationTable', () => {
  it('has a line per link, and a cross at each figure outside', () => {
    const [head, line] = calibrationTable([resultOf(0.01)]).split('\n');
    expect(head).toMatch(/^ {2}link +UDP down kbit\/s +UDP up kbit\/s +TCP down kbit\/s +RTT ms +lost down/);
    expect(line?.trim().split(/ {3,}/)).toEqual([
      '1 Mbit/s, 20 ms, 1 %',
      '996 (−0.4 %)',
      'no data ✗',
      '–',
      '21.5 (+1.5)',
      '0.94 % (p 0.64)',
      '0.01 % (p 0.00) ✗',
      '30 of 30',
      '30 of 30',
      '2 OUTSIDE',
    ]);
  });
  it('names a second try', () => expect(calibrationTable([resultOf(0)])).toContain('OUTSIDE, second try'));
});

describe('tcpUnderLossTable', () => {
  it('has a column per controller', () => {
    const lines = tcpUnderLossTable([resultOf(0), resultOf(0.01)])?.split('\n') ?? [];
    expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['link', 'reno kbit/s', 'bbr kbit/s'],
      ['1 Mbit/s, 20 ms, 1 %', '993 (99 %)', 'no data'],
    ]);
  });
  it('is nothing without loss', () => expect(tcpUnderLossTable([resultOf(0)])).toBeNull());
});

it('has a line per link and way, and a cross at each figure outside', () => {
  const asked = codelCase(5000, 20, 1.2);
  const expected = { peakMs: 138, backAfterMs: 3250, drops: 268 };
  const down = { tailWaitMs: 251.6, hump: expected, expected };
  const up = { tailWaitMs: 252, hump: { peakMs: 252, backAfterMs: null, drops: 268 }, expected };
  const verdicts = { down: judgeCodel(asked, down), up: judgeCodel(asked, up) };
  const table = codelTable([{ asked, figures: { down, up }, verdicts, machineDrops: 0, again: false }]);
  const [, ...lines] = table.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(lines).toEqual([
    ['5 Mbit/s, 20 ms, load 1.2', 'down', '252 of 252', '138 of 138', '3.25 of 3.25', '268 of 268', 'within'],
    [
      '5 Mbit/s, 20 ms, load 1.2',
      'up',
      '252 of 252',
      '252 of 138 ✗',
      'never of 3.25 ✗',
      '268 of 268',
      '2 OUTSIDE',
    ],
  ]);
});
