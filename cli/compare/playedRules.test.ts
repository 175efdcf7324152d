import { describe, expect, it } from 'vitest';
import { playedRules } from './playedRules.ts';
import { sessionCells } from './sessionCells.ts';

describe('the rules of a comparison', () => {
  it('are ids of the page, ours with parameters where wanted, each once', () => {
    expect(playedRules('dashjs-bola, fixed:rung=3,dashjs-bola')).toEqual(['dashjs-bola', 'fixed:rung=3']);
  });

  it.each([
    ['', 'Name at least one rule: dashjs-dynamic, '],
    ['magic', 'Unknown rule "magic"; known: dashjs-dynamic, '],
    ['fixed:rungs=1', 'The rule fixed has no parameter "rungs"'],
    ['pensieve', 'The rule pensieve needs a weights file, which compare does not take.'],
  ])('"%s" is refused', (text, sentence) => expect(() => playedRules(text)).toThrow(sentence));

  it('name files and hosts, whatever their parameters', () => {
    const cells = sessionCells(
      { rules: ['bola:gp=5', 'fixed:rung=0'], transports: ['h1'] },
      '/media/demo/manifest.mpd',
    );
    expect(cells.map(({ id, rule, mpd }) => [id, rule, mpd])).toEqual([
      ['bola-gp-5-h1', 'bola:gp=5', '/media/demo/manifest.mpd'],
      ['fixed-rung-0-h1', 'fixed:rung=0', '/media/demo/manifest.mpd'],
    ]);
  });
});
