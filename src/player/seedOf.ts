import type { PlayerSetup } from './player.ts';

/** Returns the seed of our rules' random draws: the same in every session unless the set-up sets another. */
export const seedOf = ({ seed }: Pick<PlayerSetup, 'seed'>): number => seed ?? 1;
