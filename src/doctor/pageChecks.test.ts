import { expect, test } from 'vitest';
import { diagnose } from './diagnose.ts';
import type { Answer, Evidence } from './evidence.ts';
import { pageChecks } from './pageChecks.ts';
import { checks } from './registry.ts';

const answer: Answer = {
  ...{ url: 'https://cdn.example/a.mpd', atUnixMs: 0, status: 200, readBytes: 100, start: '<MPD' },
  headers: {
    'access-control-allow-origin': '*',
    'timing-allow-origin': '*',
    'content-type': 'application/dash+xml',
  },
  hasEarlyHints: false,
};
/** A healthy stream as a page finds it: neither DNS nor TLS, and few headers. */
const evidence: Evidence = {
  ...{
    url: answer.url,
    pageOrigin: 'https://player.example',
    isSecure: true,
    browser: null,
    askedAtUnixMs: 0,
  },
  files: [
    {
      ...{ kind: 'manifest', url: answer.url, hops: [], whole: answer, error: null },
      ...{ range: null, again: null, preflight: null, missing: null },
    },
    {
      ...{
        kind: 'media',
        url: 'https://cdn.example/1.m4s',
        hops: [],
        error: null,
        again: null,
        preflight: null,
      },
      whole: {
        ...answer,
        url: 'https://cdn.example/1.m4s',
        headers: { ...answer.headers, 'content-type': 'video/mp4', 'content-length': '5000' },
      },
      range: { ...answer, status: 206 },
      missing: { ...answer, status: 404 },
    },
  ],
  servers: [{ origin: 'https://cdn.example', addresses: null, records: null, tls: null, visit: null }],
  stream: {
    ...{ kind: 'dash', fault: null, isLive: false, updateSeconds: null, types: [], insecure: [], gaps: [] },
    ...{ probes: [], lengths: null, clocks: [], target: null },
  },
  unknown: { addresses: 'x', record: 'x', tls: 'x', quic: 'x' },
};

test('every id is one of a check', () => {
  const ids = checks.map(({ id }) => id);
  for (const id of pageChecks) expect(ids).toContain(id);
});

test('what a page cannot see is not taken for absent: without the list a healthy stream had faults', () => {
  expect(diagnose(evidence, pageChecks).findings).toEqual([]);
  expect(diagnose(evidence).findings.map(({ check }) => check.id)).toContain('wrong-range');
  const { notChecked } = diagnose(evidence, pageChecks);
  expect(notChecked.length + pageChecks.size).toBeGreaterThanOrEqual(checks.length);
});
