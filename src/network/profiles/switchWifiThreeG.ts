import { connectionSwitch } from './connectionSwitch.ts';

/** WiFi ↔ 3G at 60, 180, 300, 420, 480 and 540 s. What the thesis leaves open: `connectionSwitch.ts`. */
export const switchWifiThreeG = connectionSwitch('3G');
