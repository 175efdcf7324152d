import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FFMPEG_WHEEL, ffmpegLacks, findFfmpeg } from './findFfmpeg.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pitwall-ffmpeg-'));
  vi.stubEnv('PITWALL_FFMPEG', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const ABLE = { version: '5.1.9-0+deb12u1', libavcodec: '59. 37.100', encoders: ['libvpx-vp9', 'libopus'] };

/** A program that answers like ffmpeg; returns its path. */
function fake(file: string, { version, libavcodec, encoders }: typeof ABLE = ABLE): string {
  const program = path.join(folder, file);
  mkdirSync(path.dirname(program), { recursive: true });
  const lines = [
    '#!/bin/sh',
    'case "$*" in',
    `*-version*) echo "ffmpeg version ${version} Copyright (c) 2000"; echo "libavcodec     ${libavcodec} / ${libavcodec}";;`,
    `*-encoders*) ${encoders.map((name) => `echo " V..... ${name}     a codec"`).join(';')};;`,
    '*-filters*) echo " T.C drawtext          V->V       Draw text";;',
    'esac',
  ];
  writeFileSync(program, lines.join('\n'));
  chmodSync(program, 0o755);
  return program;
}

// The programs are shell scripts.
describe.skipIf(process.platform === 'win32')('an ffmpeg', () => {
  it.each([
    { what: 'Debian 12', ffmpeg: ABLE, lacks: null },
    {
      what: 'a build without a version number',
      ffmpeg: { ...ABLE, version: 'N-1-g2a571b6', libavcodec: '63.  1.102' },
      lacks: null,
    },
    {
      what: 'one of 2018',
      ffmpeg: { ...ABLE, version: 'N-47683-g0e8eb07980-static', libavcodec: '58. 55.101' },
      lacks: 'is N-47683-g0e8eb07980-static, and Pitwall needs ffmpeg 5 or newer',
    },
    { what: 'one without VP9', ffmpeg: { ...ABLE, encoders: ['libopus'] }, lacks: 'lacks libvpx-vp9' },
  ])('$what: $lacks', ({ ffmpeg, lacks }) => expect(ffmpegLacks(fake('ffmpeg', ffmpeg))).toBe(lacks));

  it('is the one on the PATH when that is new enough, and its version is reported', () => {
    const program = fake('bin/ffmpeg');
    vi.stubEnv('PATH', path.dirname(program));
    expect(findFfmpeg(folder, () => {})).toEqual({ path: program, how: '5.1.9-0+deb12u1, on the PATH' });
  });

  it('is the fetched one where the PATH has one that is too old', () => {
    vi.stubEnv('PATH', path.dirname(fake('bin/ffmpeg', { ...ABLE, libavcodec: '58. 55.101' })));
    const program = fake(`ffmpeg/${FFMPEG_WHEEL.version}/ffmpeg`, { ...ABLE, version: 'n9.0.2' });
    expect(findFfmpeg(folder, () => {})).toEqual({ path: program, how: 'n9.0.2, in the cache' });
  });

  it('that is named must be able: no other is taken in its place', () => {
    vi.stubEnv('PITWALL_FFMPEG', fake('old', { ...ABLE, version: '4.3.1', libavcodec: '58. 91.100' }));
    fake(`ffmpeg/${FFMPEG_WHEEL.version}/ffmpeg`);
    expect(findFfmpeg(folder, () => {})).toEqual({
      path: null,
      why: 'the ffmpeg of PITWALL_FFMPEG is 4.3.1, and Pitwall needs ffmpeg 5 or newer',
    });
    vi.stubEnv('PITWALL_FFMPEG', '/nowhere/ffmpeg');
    expect(findFfmpeg(folder, () => {}).path).toBeNull();
  });
});
