import { describe, expect, test } from 'vitest';
import {
  registrationReport,
  REGISTRATION_SCHEMA,
  type Registered,
  type RegisteredHashes,
} from './registered.ts';
import { pickFields } from '../../src/shared/jsonObject.ts';

const hashes: RegisteredHashes = { planSha256: 'a', analysisSha256: 'b', claimsSha256: 'c' };
const registered: Registered = {
  ...hashes,
  schema: REGISTRATION_SCHEMA,
  registeredAt: '2026-11-24T23:30:00.000Z',
  pitwallVersion: '0.1.0+g0123456789',
};

describe('a campaign is held to its registration', () => {
  test.each<[string, Partial<RegisteredHashes>, string]>([
    [
      'nothing has changed',
      {},
      ', before the first session; the plan, the analysis and the claims are as registered.',
    ],
    ['the claims have changed', { claimsSha256: 'x' }, '; the claims have changed since.'],
    ['claims that were taken away', { claimsSha256: null }, '; the claims have changed since.'],
    ['the plan has changed', { planSha256: 'x' }, '; the plan has changed since.'],
    [
      'plan and analysis',
      { planSha256: 'x', analysisSha256: 'y' },
      '; the plan and the analysis have changed since.',
    ],
  ])('%s', (_, changes, end) => {
    const report = registrationReport([registered], { ...hashes, ...changes });
    expect(report.sentence).toBe(`Registered on 2026-11-24 with version 0.1.0+g0123456789${end}`);
    expect(report.isChanged).toBe(Object.keys(changes).length > 0);
  });

  test('one of no paper has no claims', () => {
    const none = { ...hashes, claimsSha256: null };
    expect(registrationReport([{ ...registered, claimsSha256: null }], none).sentence).toMatch(
      /the plan and the analysis are as registered\.$/,
    );
    expect(registrationReport([{ ...registered, claimsSha256: null }], hashes).sentence).toMatch(
      /the claims have changed since\.$/,
    );
  });

  test('that nobody knew the claims of is not held to claims', () => {
    const known = ['schema', 'registeredAt', 'pitwallVersion', 'planSha256', 'analysisSha256'] as const;
    const unclaimed = pickFields(registered, known);
    expect(registrationReport([unclaimed], hashes)).toMatchObject({
      isChanged: false,
      sentence: expect.stringMatching(
        /the plan and the analysis are as registered\. The claims were not registered: nothing shows/,
      ) as string,
    });
    expect(registrationReport([registered, unclaimed], hashes).isChanged).toBe(false);
    expect(registrationReport([unclaimed], { ...hashes, claimsSha256: null }).sentence).toMatch(
      /as registered\.$/,
    );
  });

  test('that was begun in shards has one of each', () => {
    const second = { ...registered, registeredAt: '2026-11-25T01:00:00.000Z', pitwallVersion: '0.2.0' };
    const same = registrationReport([registered, second], hashes);
    expect(same.sentence).toMatch(/^Registered on 2026-11-24 with version 0\.1\.0.* are as registered\.$/);
    const other = { ...second, claimsSha256: 'x' };
    expect(registrationReport([registered, other], hashes).sentence).toMatch(/the claims have changed since/);
  });

  test('a folder from before says so', () =>
    expect(registrationReport([], hashes)).toMatchObject({
      registered: null,
      isChanged: false,
      sentence: expect.stringContaining('begun before registration existed') as string,
    }));
});
