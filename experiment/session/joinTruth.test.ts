import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleLog, exampleRequest } from '../../src/telemetry/exampleLog.testing.ts';
import { silencedSession } from '../../src/telemetry/netlog/exampleNetLog.testing.ts';
import type { DevToolsResponse } from '../../src/telemetry/join/transportOfBrowser.ts';
import { labBrowser } from '../../lab/browser/registry.ts';
import { joinTruth } from './joinTruth.ts';
import { keepFaults, sessionFiles, settleNetLog } from './sessionFiles.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'pitwall-truth-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const files = () => sessionFiles(folder, 'a');

const url = 'https://origin.test:8443/3.m4s';
const example = exampleLog({
  segments: 0,
  extra: [
    exampleRequest({ id: 'a4', url, atMs: 6401, startMs: 6401, encodedBodyBytes: null, receivedBytes: null }),
  ],
});
const log = { ...example, events: example.events.filter(({ id }) => id !== 'r1') };
const answer = (alternateProtocolUsage: string, connectionId = '40'): DevToolsResponse => ({
  url,
  method: 'GET',
  startUnixMs: log.clock.startedAtUnixMs + 6401,
  endUnixMs: null,
  receivedBytes: null,
  alternateProtocolUsage,
  connectionId,
  protocol: 'h2',
  connectionReused: true,
  errorText: null,
});
const join = (responses: readonly DevToolsResponse[] | null) => {
  writeFileSync(files().netLog, silencedSession().text());
  return joinTruth(log, { browser: labBrowser, netLogFile: files().netLog, responses });
};

describe('both transport sources', () => {
  it('are in the log', async () => {
    const reported = await join([answer('unspecifiedReason')]);
    expect(reported.faults).toEqual([]);
    const about = reported.log.events.filter(
      (event) => event.kind === 'transport' && event.requestId === 'a4',
    );
    expect(about).toMatchObject([
      { source: 'devtools', races: [{ outcome: 'unspecifiedReason' }] },
      { source: 'netlog', races: [{ outcome: 'main-broken' }] },
    ]);
  });

  it('the log has what the browser says of its QUIC', async () => {
    writeFileSync(files().netLog, silencedSession().closedText());
    const { log: joined } = await joinTruth(log, {
      browser: labBrowser,
      netLogFile: files().netLog,
      responses: null,
    });
    expect(joined.environment.quicSettings).toMatchObject({ retry_without_alt_svc_on_quic_errors: true });
    expect((await join(null)).log.environment.quicSettings).toBeUndefined();
  });

  it('without DevTools the NetLog is the only source and nothing is missing', async () => {
    const reported = await join(null);
    expect(reported.faults).toEqual([]);
    const sources = reported.log.events.flatMap((event) =>
      event.kind === 'transport' ? [event.source] : [],
    );
    expect(new Set(sources)).toEqual(new Set(['netlog']));
  });

  it.each([
    [
      'a pair outside the table',
      [answer('mainJobWonRace')],
      /DevTools says mainJobWonRace, the NetLog main-broken/,
    ],
    [
      'another connection',
      [answer('unspecifiedReason', '50')],
      /DevTools names connection 50, the NetLog 40/,
    ],
    ['a silent one', [], /DevTools has no value of it/],
  ])('%s is a fault', async (_, responses, sentence) => {
    const { faults } = await join(responses);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(sentence);
  });

  it('a NetLog that cannot be read is a fault, and DevTools is in the log', async () => {
    const reported = await joinTruth(log, {
      browser: labBrowser,
      netLogFile: files().netLog,
      responses: [answer('unspecifiedReason')],
    });
    expect(reported.faults).toEqual(['the NetLog: It cannot be read (ENOENT).']);
    expect(reported.log.events.filter(({ kind }) => kind === 'transport')).toHaveLength(1);
  });

  it('of a browser that reports no races nothing is read, and nothing is a fault', async () => {
    const reported = await joinTruth(log, {
      browser: { readRaces: null },
      netLogFile: files().netLog,
      responses: null,
    });
    expect(reported).toEqual({ log, faults: [] });
  });
});

describe('faults', () => {
  it('are kept beside the log, and the first ones are printed', async () => {
    const lines = await keepFaults(files(), ['1', '2', '3', '4', '5']);
    expect(lines).toEqual(
      ['1', '2', '3'].map((each) => `a.race-faults.json: ${each}`).concat('a.race-faults.json: and 2 more'),
    );
    expect(JSON.parse(readFileSync(files().raceFaults, 'utf8'))).toEqual(['1', '2', '3', '4', '5']);
  });

  it('of an earlier try go with a session that has none', async () => {
    await keepFaults(files(), ['1']);
    expect(await keepFaults(files(), [])).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the NetLog', () => {
  it.each([true, false])('is kept: %s', async (keep) => {
    writeFileSync(files().netLog, 'events');
    await settleNetLog(files(), { keep });
    expect(existsSync(files().netLog)).toBe(false);
    expect(readdirSync(folder)).toEqual(keep ? ['a.netlog.json.gz'] : []);
    if (keep) expect(gunzipSync(readFileSync(files().netLogKept)).toString()).toBe('events');
  });
});
