/** What a log calls the rule that hls.js comes with. */
export const HLS_RULE = 'hlsjs-abr';

/** What a log calls the rule that Shaka comes with. */
export const SHAKA_RULE = 'shaka-abr';
