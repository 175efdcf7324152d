import type { SimModel } from '../model.ts';
import { createChunkLog } from './chunkLog.ts';
import { playChunks } from './playChunks.ts';

/**
 * Pensieve's public test environment (fixed_env.py of github.com/hongzimao/pensieve; numbers in `chunkRules.ts`), for
 * comparison with published scores. Video only, one segment after the other. The first segment's rung is fixed; the
 * environment knows no wait that a rule asks for, so `holdUntilBufferMs` has no effect.
 */
export const chunkModel: SimModel = {
  id: 'chunk',
  label: 'chunk model',
  meaning:
    "Pensieve's environment: video only, 80 ms + bytes / (0.95 × rate) a segment, buffer up to 60 s, first rung fixed",
  simulate: (scene) => playChunks(scene, null),
  record(scene) {
    const log = createChunkLog(scene, chunkModel.id);
    const outcome = playChunks(scene, log);
    return { outcome, log: log.finish() };
  },
};
