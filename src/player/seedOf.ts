import type { PlayerSetup } from './player.ts';

/** What rules of ours draw their lots from, the same in every session unless the set-up says otherwise. */
export const seedOf = ({ seed }: Pick<PlayerSetup, 'seed'>): number => seed ?? 1;
