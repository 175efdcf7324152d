import type { Profile } from '../profile.ts';
import { accessNetworks, switchFamily } from './accessNetworks.ts';
import { changeFamilies, changes } from './changes.ts';
import { constant, constantFamily } from './constant.ts';
import { multiplexing } from './multiplexing.ts';
import { limitFamilies, limits } from './limits.ts';
import { dvlLikeFamily, racing } from './racing.ts';
import type { ProfileFamily } from '../profileFamily.ts';

/** Every network profile, by id. */
export const networkProfiles: readonly Profile[] = [
  ...racing,
  ...limits,
  ...accessNetworks,
  ...changes,
  ...multiplexing,
  ...constant,
].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Every kind of network from which a campaign can draw, by id. */
export const profileFamilies: readonly ProfileFamily[] = [
  constantFamily,
  dvlLikeFamily,
  switchFamily,
  ...limitFamilies,
  ...changeFamilies,
].sort((a, b) => (a.id < b.id ? -1 : 1));
