import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** What a visitor downloads, by kind. dash.js, hls.js, Shaka and Chart.js are not our own code; the packages are for other people's pages. */
export const KINDS = [
  'scripts',
  'workers',
  'styles',
  'pages',
  'nets',
  'compare',
  'exports',
  'sessionPage',
  'check',
  'files',
  'steering',
  'split',
  'transfer',
  'races',
  'players',
  'dashjs',
  'hlsjs',
  'shaka',
  'chartjs',
  'telemetryPackage',
  'elementPackage',
  'hlsjsPackage',
  'shakaPackage',
  'trialPackage',
] as const;
export type Kind = (typeof KINDS)[number];

/** The kinds that count as our own code: what opening the page loads. Nets, exports, the readers of files and of rules, steering, the split loader and transfers are loaded when one is chosen, what follows races where the server knows them. */
export const OWN_CODE: readonly Kind[] = ['scripts', 'workers', 'styles'];

export interface FileSize {
  /** Relative to the built folder. */
  readonly file: string;
  readonly kind: Kind;
  readonly sizeBytes: number;
  /** Brotli, quality 11: what a web server sends that compressed ahead of time. */
  readonly brotliBytes: number;
}

/** Every code file of a built page. Source maps and pictures are not code. */
export function measureSizes(distFolder: string): FileSize[] {
  return readdirSync(distFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(distFolder, file)).isFile())
    .flatMap((file) => {
      const kind = kindOf(file);
      return kind === null ? [] : [sizeOf(distFolder, file, kind)];
    })
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.brotliBytes - a.brotliBytes);
}

/** Chunks with a kind of their own, by the file that they are named after (vite.config.ts names the libraries'). */
const CHUNKS: Readonly<Partial<Record<string, Kind>>> = {
  dashjs: 'dashjs',
  hlsjs: 'hlsjs',
  shaka: 'shaka',
  createOtherPlayer: 'players',
  ruleHost: 'players',
  trackPlayer: 'players',
  watchElement: 'players',
  hlsPlayer: 'players',
  shakaPlayer: 'players',
  otherPlayers: 'players',
  playerFields: 'players',
  chartjs: 'chartjs',
  nets: 'nets',
  steering: 'steering',
  openCompare: 'compare',
  compare: 'compare',
  measureLog: 'compare',
  openTransfer: 'transfer',
  splitLoader: 'split',
  exportItems: 'exports',
  openFiles: 'files',
  readRaces: 'files',
  loadSession: 'files',
  recordings: 'files',
  followRaces: 'races',
  ownRule: 'files',
  session: 'sessionPage',
  checkStream: 'check',
};

const OTHERWISE: Readonly<Partial<Record<string, Kind>>> = { js: 'scripts', css: 'styles', html: 'pages' };

/** Vite names a worker's script after its file, `x.worker.ts`. */
export function kindOf(file: string): Kind | null {
  const [, name = '', worker, end = ''] = /^(\w+)(\.worker)?(?:-.*)?\.(\w+)$/.exec(path.basename(file)) ?? [];
  const otherwise = OTHERWISE[end] ?? null;
  return otherwise && (worker ? 'workers' : (CHUNKS[name] ?? otherwise));
}

/** A file below a folder, measured. */
export function sizeOf(folder: string, file: string, kind: Kind): FileSize {
  const content = readFileSync(path.join(folder, file));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return {
    file,
    kind,
    sizeBytes: content.length,
    brotliBytes: brotliCompressSync(content, { params }).length,
  };
}
