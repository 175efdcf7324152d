import { describe, expect, it, test } from 'vitest';
import { networksOf } from './networks.ts';
import { planCampaign } from './planCampaign.ts';
import { readCampaign } from './readCampaign.ts';
import { TransferFile } from './transferFile.ts';
import { valueOf } from '../../src/shared/result.ts';

const known = {
  faultOfRule: () => 'No rule is known here.',
  faultOfPreset: () => 'No preset is known here.',
  contents: [],
  browsers: [],
};
const file = {
  schema: 'pitwall-transfer/1',
  name: 'first-transfer',
  transfers: ['objects:mb=2', 'handshake:connection=zero-rtt'],
  transports: ['h2', 'h3-only'],
  origin: 'instrumented',
  profiles: ['constant-10mbps', 'lte'],
  repeats: 2,
  seeds: [1],
  maxSeconds: 30,
  leadInSeconds: 10,
  phase: 'start',
  primary: 'transfer-time',
  marginPercent: 5,
  alpha: 0.05,
  compare: 'transports',
  per: 'campaign',
};
const read = (changes: Record<string, unknown> = {}) =>
  readCampaign(JSON.stringify({ ...file, ...changes }), { name: 't.json', known });
const errorOf = (changes: Record<string, unknown>): string => {
  const result = read(changes);
  return result.ok ? 'no error' : result.error;
};

test('docs/transfer.schema.json is what the schema says', async () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...TransferFile };
  await expect(`${JSON.stringify(schema, null, 1)}\n`).toMatchFileSnapshot('../../docs/transfer.schema.json');
});

describe('the plan of a transfer file', () => {
  const campaign = valueOf(read());
  const { sessions } = valueOf(planCampaign(campaign, networksOf(campaign)));
  const arms = [...new Set(sessions.map(({ design }) => design.arm))].sort();

  it('has an arm for each transfer and transport, but none of 0-RTT over TCP', () =>
    expect(arms).toEqual([
      'handshake:connection=zero-rtt/h3-only',
      'objects:mb=2/h2',
      'objects:mb=2/h3-only',
    ]));

  it('has every arm in every pair', () => expect(sessions).toHaveLength(3 * 2 * 2));

  it('lets the browser visit the server where its connection goes on with a session', () => {
    const profiles = new Map(sessions.map(({ transfer, browserProfile }) => [transfer, browserProfile]));
    expect([...profiles].sort()).toEqual([
      ['handshake:connection=zero-rtt', 'warm'],
      ['objects:mb=2', undefined],
    ]);
  });

  it('is read again from the plan that the folder keeps', () =>
    expect(campaign).toMatchObject({ schema: 'pitwall-campaign/2', rules: [], seconds: 30 }));
});

describe('what is wrong is one sentence with its place', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ rules: ['bola'] }, 't.json: /rules is not a field of a campaign.'],
    [{ transfers: [] }, 't.json: /transfers should be a list of 1 to 100 entries, but it is a list.'],
    [
      { transfers: ['objects:mb=2', 'objects:mb=2'] },
      't.json: /transfers/1: "objects:mb=2" is listed twice.',
    ],
    [
      { transfers: ['object'] },
      't.json: /transfers/0: Unknown transfer "object"; known: objects, streams, ranges, handshake.',
    ],
    [
      { origin: 'caddy' },
      't.json: /transfers/1: A zero-rtt connection needs "origin": "instrumented", and an emulated link in "profiles".',
    ],
    [
      { transports: ['h1', 'h2'] },
      't.json: /transfers/1: Only QUIC connections begin with 0-RTT here: add h3-only to "transports".',
    ],
    [
      { transfers: ['ranges:names=2'], profiles: [] },
      't.json: /transfers/0: Without an emulated link the server has one name: fill in "profiles", or leave out "names".',
    ],
    [
      { leadInSeconds: 2 },
      't.json: /leadInSeconds: A warm browser visits the origin in the lead-in, which must be at least 10 s.',
    ],
    [
      { primary: 'join-time' },
      't.json: /primary: The metric join-time needs a player; metrics of transfers: broken-time, first-byte-time, handshake-time, rate-share, transfer-rate, transfer-time, zero-rtt-share.',
    ],
    [
      { schema: 'pitwall-campaign/2' },
      't.json: /rules should be a list of 0 to 100 entries, but it is missing.',
    ],
  ])('%j', (changes, error) => expect(errorOf(changes)).toBe(error));

  it('a campaign file takes no transfers', () => {
    const campaign = { ...valueOf(read()), transfers: ['objects'] };
    expect(readCampaign(JSON.stringify(campaign), { name: 't.json', known })).toEqual({
      ok: false,
      error:
        't.json: /transfers is not a field of a campaign: a file with transfers has "schema": "pitwall-transfer/1".',
    });
  });
});
