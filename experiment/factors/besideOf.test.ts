import { describe, expect, test } from 'vitest';
import { besideOf, faultOfBeside, flowController, rulesBeside } from './besideOf.ts';

const whole = { kind: 'flows', fromSeconds: null, untilSeconds: null, windowKib: null };

describe('what runs beside a viewer', () => {
  test.each([
    ['alone', []],
    ['tcp-cubic', [{ transport: 'tcp', family: 'cubic', emulatedConnections: null, flows: 1, ...whole }]],
    [
      'tcp-bbr:flows=4+quic-cubic-x6:until=60:from=20:window=512',
      [
        { transport: 'tcp', family: 'bbr', emulatedConnections: null, flows: 4, ...whole },
        {
          transport: 'quic',
          family: 'cubic',
          emulatedConnections: 6,
          flows: 1,
          kind: 'flows',
          fromSeconds: 20,
          untilSeconds: 60,
          windowKib: 512,
        },
      ],
    ],
    ['player', [{ kind: 'players', players: 1, rule: null, transport: null }]],
    [
      'player:players=2:rule=bola:transport=h3-only+tcp-reno',
      [
        { kind: 'players', players: 2, rule: 'bola', transport: 'h3-only' },
        { transport: 'tcp', family: 'reno', emulatedConnections: null, flows: 1, ...whole },
      ],
    ],
  ])('%s', (text, groups) => expect(besideOf(text)).toEqual({ ok: true, value: groups }));

  test.each([
    ['', 'Unknown flows "": write alone, or '],
    ['tcp', 'Unknown flows "tcp": write alone, or '],
    ['tcp-vegas', 'Unknown flows "tcp-vegas": '],
    ['tcp-cubic-x2', 'Unknown flows "tcp-cubic-x2": '],
    ['quic-bbr-x2', 'Unknown flows "quic-bbr-x2": '],
    ['quic-cubic-x1', 'Unknown flows "quic-cubic-x1": '],
    ['alone+tcp-cubic', 'Unknown flows "alone": '],
    ['tcp-cubic+', 'Unknown flows "": '],
    ['tcp-cubic:', '"" in "tcp-cubic:" should be flows=N, from=N, until=N, window=N.'],
    ['tcp-cubic:count=2', '"count=2" in "tcp-cubic:count=2" should be flows=N, '],
    ['tcp-cubic:flows=-1', '"flows=-1" in "tcp-cubic:flows=-1" should be flows=N, '],
    ['tcp-cubic:toString=1', '"toString=1" in "tcp-cubic:toString=1" should be flows=N, '],
    ['tcp-cubic:flows=0', '"flows=0" in "tcp-cubic:flows=0" should be from 1 to 32.'],
    ['tcp-cubic:flows=2:flows=2', '"tcp-cubic:flows=2:flows=2" has "flows" twice.'],
    ['tcp-cubic:flows=20+quic-bbr:flows=13', '"tcp-cubic:flows=20+quic-bbr:flows=13" has 33 flows; '],
    ['player:', '"" in "player:" should be rule=ID, transport=MODE or players=N.'],
    ['player:flows=2', '"flows=2" in "player:flows=2" should be rule=ID, '],
    ['player:rule=a:rule=b', '"player:rule=a:rule=b" has "rule" twice.'],
    [
      'player:rule=bola(1)',
      '"rule=bola(1)" in "player:rule=bola(1)" should be the id of a rule, without parameters.',
    ],
    ['player:transport=h4', '"transport=h4" in "player:transport=h4" should be one of h1, h2, '],
    ['player:players=0', '"players=0" in "player:players=0" should be from 1 to 4.'],
    ['player:players=3+player:players=2', 'has 5 players; the maximum is 4.'],
    ['players', 'Unknown flows "players": '],
    ['tcp-cubic:from=30:until=30', '"tcp-cubic:from=30:until=30" has flows that end before they begin.'],
    ['tcp-cubic:from=60', '"tcp-cubic:from=60" has flows that begin after the end of the session at 60 s.'],
  ])('"%s" is refused in a sentence', (text, sentence) =>
    expect(faultOfBeside(text, { seconds: 60 })).toContain(sentence),
  );
});

test('a controller has the name that the origin gives it', () => {
  expect(flowController({ family: 'cubic', emulatedConnections: 6 })).toBe('cubic-x6');
  expect(flowController({ family: 'bbr', emulatedConnections: null })).toBe('bbr');
});

test('the rules that players beside the viewer have of their own', () =>
  expect(rulesBeside('player+tcp-cubic+player:rule=bba:players=2')).toEqual(['bba']));
