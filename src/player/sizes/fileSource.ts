import { readSizesFile, type SizesFile } from '../../abr/sizesFile.ts';
import { parseUrl } from '../../telemetry/shell/parseUrl.ts';
import type { SizesNews, SizesQuestion, SizesSource } from './sizesSource.ts';

interface Loading {
  /** Address of the file; null when this stream has none. Asked until there is one. */
  readonly urlFor: (question: SizesQuestion) => string | null;
  readonly load: (url: string) => Promise<{ readonly status: number; readonly text: string }>;
  readonly onNews: (news: SizesNews) => void;
  readonly onFault: (sentence: string) => void;
}

/** Sizes from a side file, loaded once, when the first decision is made. */
export function fileSource({ urlFor, load, onNews, onFault }: Loading): SizesSource {
  let file: SizesFile | null = null;
  let isAskedFor = false;
  const read = async (url: string): Promise<void> => {
    const name = parseUrl(url)?.pathname.split('/').at(-1) || url;
    const { status, text } = await load(url);
    if (status >= 400)
      return onFault(`The sizes file ${name} was not loaded: the server answered ${status}.`);
    const result = readSizesFile(text);
    if (!result.ok) return onFault(`The sizes file ${name} is not used. ${result.error}`);
    file = result.value;
    for (const { mediaType, id, sizesBytes } of file.representations)
      onNews({ mediaType, representationId: id, from: 'side-file', firstSegment: 0, sizesBytes });
  };
  return {
    lookUp(question) {
      const url = isAskedFor ? null : urlFor(question);
      if (url === null) return;
      isAskedFor = true;
      read(url).catch((fault: unknown) => onFault(`The sizes file was not loaded: ${formatThrown(fault)}.`));
    },
    known(mediaType, representationId) {
      const found = file?.representations.find(
        (each) => each.mediaType === mediaType && each.id === representationId,
      );
      return found ? { from: 'side-file', firstSegment: 0, sizesBytes: found.sizesBytes } : null;
    },
  };
}

const formatThrown = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));
