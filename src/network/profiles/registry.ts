import type { Profile } from '../profile.ts';
import { accessNetworks } from './accessNetworks.ts';
import { constant } from './constant.ts';
import { multiplexing } from './multiplexing.ts';
import { racing } from './racing.ts';

/** Every network profile, by id. */
export const networkProfiles: readonly Profile[] = [
  ...racing,
  ...accessNetworks,
  ...multiplexing,
  ...constant,
].sort((a, b) => (a.id < b.id ? -1 : 1));
