import type { Entry } from '../../../src/shared/registry.ts';

/** A player library of which the page can be built with another version. Its id is that of the player (`?player=`). */
export interface PlayerLibrary extends Entry {
  readonly id: 'dashjs' | 'hlsjs' | 'shaka';
  /** Its name at npm. */
  readonly packageName: string;
  /** File of the whole build in the package, where its `exports` name none. */
  readonly usualFile: string;
  /** Version of the oldest build whose events are those that the page uses: major, minor. */
  readonly oldest: readonly [number, number];
  /** One that the page plays with, for sentences. */
  readonly exampleVersion: string;
  /** Names that the page imports besides the default. */
  readonly exports: readonly string[];
  /** Whether the page loads it as a script and not as a module. */
  readonly isScript: boolean;
  /** Finds its version in a build, minified or not; null: it is no build of this library. */
  versionIn(source: string): string | null;
}

const VERSION = String.raw`(\d{1,4}\.\d{1,4}\.[\w.+-]{1,40})`;
const first = (source: string, ...patterns: readonly string[]): string | null => {
  for (const pattern of patterns) {
    const version = new RegExp(pattern).exec(source)?.[1];
    if (version !== undefined) return version;
  }
  return null;
};

export const libraries: readonly PlayerLibrary[] = [
  {
    id: 'dashjs',
    label: 'dash.js',
    packageName: 'dashjs',
    usualFile: 'dist/modern/esm/dash.all.min.js',
    oldest: [5, 0],
    exampleVersion: '5.2.1',
    exports: ['MediaPlayer'],
    isScript: false,
    // What `getVersionString` of core/Version.js answers; a minifier of UMD shortens that name.
    versionIn: (source) =>
      source.includes('MediaPlayer')
        ? first(
            source,
            String.raw`getVersionString\b[^"']{0,200}["']${VERSION}["']`,
            String.raw`\bVERSION = ["']${VERSION}["']`,
            String.raw`=["']${VERSION}["'];function \w+\(\)\{return `,
          )
        : null,
  },
  {
    id: 'hlsjs',
    label: 'hls.js',
    packageName: 'hls.js',
    usualFile: 'dist/hls.mjs',
    oldest: [1, 7],
    exampleVersion: '1.7.4',
    exports: [],
    isScript: false,
    // Its build writes the version as a text, and no other text is like it.
    versionIn: (source) =>
      source.includes('hlsManifestLoading') ? first(source, `["']${VERSION}["']`) : null,
  },
  {
    id: 'shaka',
    label: 'Shaka',
    packageName: 'shaka-player',
    usualFile: 'dist/shaka-player.compiled-es2021.js',
    oldest: [5, 0],
    exampleVersion: '5.2.12',
    exports: [],
    isScript: true,
    // `shaka.Player.version`, of which a compiler shortens the class.
    versionIn: (source) =>
      /\bshaka\b/.test(source) ? first(source, String.raw`\.version\s?=\s?["']v${VERSION}["']`) : null,
  },
];

/** "dash.js, hls.js or Shaka". */
export const LIBRARY_NAMES = libraries
  .map(({ label }) => label)
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');
