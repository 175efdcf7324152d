import { chunkModel } from './chunk/chunkModel.ts';
import type { SimModel } from './model.ts';
import { playerModel } from './player/playerModel.ts';

/** The levels of detail, the coarse one first. */
export const simModels: readonly SimModel[] = [chunkModel, playerModel];
