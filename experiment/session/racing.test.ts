import { expect, it, test } from 'vitest';
import { exampleLog } from '../../src/telemetry/exampleLog.testing.ts';
import { mustRaceAsPlanned, racingFlags } from './racing.ts';

const refusalOf = (racing: 'default' | 'happy-eyeballs-v3' | undefined, happyEyeballs?: boolean) => {
  const log = exampleLog();
  const environment = { ...log.environment, ...(happyEyeballs !== undefined && { happyEyeballs }) };
  try {
    mustRaceAsPlanned({ ...log, environment }, racing === undefined ? {} : { racing });
  } catch (error) {
    return error;
  }
  return null;
};

it.each([
  ['default', false],
  ['happy-eyeballs-v3', true],
  [undefined, true],
  [undefined, undefined],
] as const)('a session of %s whose browser says %s counts', (racing, said) =>
  expect(refusalOf(racing, said)).toBeNull(),
);

it.each([
  ['default', true, 'Chromium was to race by "default", and says that HappyEyeballsV3 is on.'],
  [
    'happy-eyeballs-v3',
    false,
    'Chromium was to race by "happy-eyeballs-v3", and says that HappyEyeballsV3 is off.',
  ],
  [
    'happy-eyeballs-v3',
    undefined,
    'Chromium was to race by "happy-eyeballs-v3", and did not say how it races.',
  ],
] as const)('a session of %s whose browser says %s does not count', (racing, said, message) =>
  expect(refusalOf(racing, said)).toMatchObject({ failure: 'racing-not-as-planned', message }),
);

test('browsers of campaigns that name no way to race are started as ever', () => {
  for (const browser of ['chromium', 'firefox']) {
    expect(racingFlags({ browser })).toEqual([]);
    expect(racingFlags({ browser, racing: 'happy-eyeballs-v3' })).not.toEqual(
      racingFlags({ browser, racing: 'default' }),
    );
  }
});
