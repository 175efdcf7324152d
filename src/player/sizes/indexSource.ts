import type { MediaPlayerClass } from 'dashjs';
import { streamProcessors } from '../streamProcessors.ts';
import { rangeSizes } from './rangeSizes.ts';
import type { SizesSource } from './sizesSource.ts';

/**
 * Sizes from the stream's own index: dash.js reads the `sidx` of every representation before the first segment of a
 * period (RepresentationController.updateData), so there is nothing to load. Only the controller's own representations
 * have the segments; those that rules are given have not.
 */
export function indexSource(player: MediaPlayerClass): SizesSource {
  return {
    lookUp: () => {},
    known(mediaType, representationId) {
      const processor = streamProcessors(player).find((each) => each.getType() === mediaType);
      const representation = processor?.getRepresentationController().getRepresentationById(representationId);
      const sizesBytes = rangeSizes(representation?.segments);
      return sizesBytes && { from: 'sidx', firstSegment: 0, sizesBytes };
    },
  };
}
