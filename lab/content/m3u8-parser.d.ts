/** The part of m3u8-parser (which has no types) that the tests of our playlists read. */
declare module 'm3u8-parser' {
  export interface ParsedMedia {
    readonly version: number;
    readonly targetDuration: number;
    readonly endList: boolean;
    readonly segments: readonly {
      readonly uri: string;
      /** In s. */
      readonly duration: number;
      readonly discontinuity?: boolean;
      readonly byterange?: { readonly length: number; readonly offset: number };
      readonly map: {
        readonly uri: string;
        readonly byterange?: { readonly length: number; readonly offset: number };
      };
    }[];
    readonly playlists?: readonly {
      readonly uri: string;
      readonly attributes: Readonly<Record<string, unknown>>;
    }[];
    readonly mediaGroups: Readonly<
      Record<
        'AUDIO' | 'SUBTITLES',
        Readonly<
          Record<string, Readonly<Record<string, { readonly uri: string; readonly default: boolean }>>>
        >
      >
    >;
  }
  export class Parser {
    push(text: string): void;
    end(): void;
    readonly manifest: ParsedMedia;
  }
}
