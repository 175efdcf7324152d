import { PLAYING } from '../../analysis/codes.ts';
import type { SessionSeries } from '../../analysis/series.ts';

export const hasShownPicture = ({ states }: SessionSeries): boolean =>
  states.columns.state.subarray(0, states.length).includes(PLAYING);
