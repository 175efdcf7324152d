/** What we use of mpd-parser, which comes without types: what `parse` gives for version 1.4.0. */
declare module 'mpd-parser' {
  /** In a file; all of it when there is none. */
  interface ParsedRange {
    readonly offset: number;
    readonly length: number;
  }

  interface ParsedResource {
    /** As the MPD has it. */
    readonly uri: string;
    readonly resolvedUri: string;
    readonly byterange?: ParsedRange;
  }

  interface ParsedSegment extends ParsedResource {
    /** s */
    readonly duration: number;
    readonly map?: ParsedResource;
  }

  interface ParsedPlaylist {
    readonly attributes: {
      readonly NAME: string;
      /** bit/s */
      readonly BANDWIDTH: number;
      readonly CODECS?: string;
      /** Of the BaseURL. */
      readonly serviceLocation?: string;
      readonly RESOLUTION?: { readonly width: number; readonly height: number };
    };
    /** False for a live stream; that of the whole MPD is always true. */
    readonly endList: boolean;
    readonly segments: readonly ParsedSegment[];
    /** Where the index is, when it lists the segments and the MPD does not. */
    readonly sidx?: ParsedSegment;
  }

  interface ParsedMpd {
    /** Video, one for each representation. */
    readonly playlists: readonly ParsedPlaylist[];
    readonly mediaGroups: {
      readonly AUDIO: Readonly<
        Record<
          string,
          Readonly<
            Record<string, { readonly default: boolean; readonly playlists: readonly ParsedPlaylist[] }>
          >
        >
      >;
    };
  }

  export function parse(
    text: string,
    options: { readonly manifestUri: string; readonly eventHandler?: (event: unknown) => void },
  ): ParsedMpd;
  export type { ParsedMpd, ParsedPlaylist, ParsedResource, ParsedSegment, ParsedRange };
}
