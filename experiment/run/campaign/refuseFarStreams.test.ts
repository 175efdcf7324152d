import { expect, test } from 'vitest';
import { refuseFarStreams } from './refuseFarStreams.ts';

const far = ['demo', 'https://cdn.example/a.mpd'];

test("an MPD's address is refused where links are asked for, with its place", () =>
  expect(() => refuseFarStreams({ contents: far, profiles: ['dvl'] }, 'c.json')).toThrow(
    'c.json: /contents/1: The address of an MPD needs "profiles": []. Over emulated links use padded:PATH.mpd, or --simulate.',
  ));

test.each([
  { contents: far, profiles: [] },
  { contents: ['demo', 'live', 'padded:envivio'], profiles: ['dvl'] },
])('nothing else is: %j', (campaign) => refuseFarStreams(campaign, 'c.json'));
