import { PLAYING } from '../../analysis/timeline/columns.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';

export const hasShownPicture = ({ states }: SessionSeries): boolean =>
  states.columns.state.subarray(0, states.length).includes(PLAYING);
