import type { Profile } from '../profile.ts';
import * as profiles from './index.ts';

/** Every network profile, by id: the order of an `import *` is not the same with every bundler. */
export const networkProfiles: readonly Profile[] = Object.values(profiles).sort((a, b) =>
  a.id < b.id ? -1 : 1,
);
