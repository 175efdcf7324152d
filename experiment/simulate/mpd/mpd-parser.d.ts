/** What we use of mpd-parser, which comes without types: what `parse` gives for version 1.4.0. */
declare module 'mpd-parser' {
  /** Range in a file; absent: the whole file. */
  interface ParsedRange {
    readonly offset: number;
    readonly length: number;
  }

  interface ParsedResource {
    /** Address as the MPD has it. */
    readonly uri: string;
    readonly resolvedUri: string;
    readonly byterange?: ParsedRange;
  }

  interface ParsedSegment extends ParsedResource {
    /** s */
    readonly duration: number;
    readonly map?: ParsedResource;
    /** Differs from period to period. */
    readonly timeline: number;
  }

  interface ParsedPlaylist {
    readonly attributes: {
      readonly NAME: string;
      /** bit/s */
      readonly BANDWIDTH: number;
      readonly CODECS?: string;
      /** `serviceLocation` of the BaseURL. */
      readonly serviceLocation?: string;
      readonly RESOLUTION?: { readonly width: number; readonly height: number };
    };
    /** Whether the list of segments has an end: false for a live stream. `endList` of the whole MPD is always true. */
    readonly endList: boolean;
    readonly segments: readonly ParsedSegment[];
    /** Place of the index, when it lists the segments and the MPD does not. */
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
