import { expect, test } from 'vitest';
import { formatNotSimulated, refuseSimulated } from './runSimulated.ts';
import type { CampaignFile } from '../../plan/campaignFile.ts';
import { networksOf } from '../../plan/networks.ts';
import { planCampaign } from '../../plan/planCampaign.ts';
import { startingFile } from '../../plan/startingFile.ts';
import { valueOf } from '../../../src/shared/result.ts';

const planned = (changes: Partial<CampaignFile>) => {
  const file = { ...startingFile, profiles: ['dvl'], ...changes };
  return valueOf(planCampaign(file, networksOf(file)));
};

test.each<[string, Partial<CampaignFile>, string]>([
  ['no network', { profiles: [] }, 'c.json: /profiles: The simulator needs the rates of an emulated link'],
  ['another preset', { preset: 'as-shipped' }, 'c.json: /preset: The player model supports only the preset'],
  [
    'a rule that only dash.js has',
    { rules: ['bola', 'dashjs-bola'] },
    'c.json: /rules/1: The rule dashjs-bola runs',
  ],
  [
    'a live stream',
    { contents: ['demo', 'live'] },
    'c.json: /contents/1: The player model does not support live streams.',
  ],
])('%s is refused in a sentence', (_, changes, sentence) => {
  expect(() => refuseSimulated(planned(changes), 'c.json')).toThrow(sentence);
});

test('what can be simulated is not refused', () => refuseSimulated(planned({}), 'c.json'));

test('says what is left out', () => {
  const text = formatNotSimulated(planned({ profiles: ['dvl', 'np2b-typical-delay-large-loss'] }));
  expect(text).toContain('dvl without the delay');
  expect(text).toContain('np2b-typical-delay-large-loss without loss (up to 10 %), the delay');
  expect(text).toContain('no discovery over h2, no races');
  expect(text).toContain('dashjs-dynamic is simulated by the rule dynamic');
  expect(text).not.toContain('every sender is that Reno');
  const instrumented = planned({ origin: 'instrumented', controllers: ['reno', 'bbr'] });
  expect(formatNotSimulated(instrumented)).toContain(
    'controllers, windows, pacing and 0-RTT of the origin are not simulated',
  );
});
