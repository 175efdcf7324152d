import type { PlayerSetup } from '../../player/player.ts';

/** What the start form asks for: a player's set-up without the page's own parts. */
export type Setup = Pick<PlayerSetup, 'mpdUrl' | 'rule' | 'presetId'> &
  Required<Pick<PlayerSetup, 'cmcd' | 'protection' | 'origins' | 'keepQueryValues' | 'seed' | 'sizes'>> & {
    /** Loads the weights file of the rule; null when it needs none or none was given. Rejects with one sentence. */
    readonly weights: () => Promise<string | null>;
  };

export type Cmcd = Setup['cmcd'];
