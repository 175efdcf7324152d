import type { PlayerSetup } from '../../player/player.ts';

/** What the start form asks for: a player's set-up without the page's own parts. */
export type Setup = Pick<PlayerSetup, 'mpdUrl' | 'ruleId' | 'presetId'> &
  Required<Pick<PlayerSetup, 'cmcd' | 'protection' | 'origins' | 'keepQueryValues'>>;

export type Cmcd = Setup['cmcd'];
