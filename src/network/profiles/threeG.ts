import { accessNetwork } from './accessNetwork.ts';

/** 3.1 Mbit/s, 234 ms, no loss. What the thesis leaves open: `accessNetwork.ts`. */
export const threeG = accessNetwork('3G');
