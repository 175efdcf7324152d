export { meanBitrate } from './meanBitrate.ts';
export { joinTime } from './joinTime.ts';
export { rebufferRate } from './rebufferRate.ts';
export { rebufferCount } from './rebufferCount.ts';
export { switchCount } from './switchCount.ts';
export { droppedFrames } from './droppedFrames.ts';
export { requestsByProtocol } from './requestsByProtocol.ts';
export { tcpShare } from './tcpShare.ts';
