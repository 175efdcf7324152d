import path from 'node:path';
import type { Command } from 'commander';
import { withOptions } from './declareOptions.ts';
import { outFile } from './sharedOptions.ts';
import { formatFileError, mustBeWritable, readPlainBytes, writeAtomically } from '../node/files.ts';
import { usageError } from '../node/exitCodes.ts';
import { Checkpoint, CheckpointFault, type CheckpointFiles } from './weights/checkpoint.ts';
import {
  PENSIEVE_FORMAT,
  PENSIEVE_LAYERS,
  pensieveShapes,
  readPensieveWeights,
  type PensieveDivisors,
  type PensieveLayer,
} from '../src/abr/rules/pensieve/pensieveWeights.ts';
import { failed, type Result } from '../src/shared/result.ts';

export function addWeights(program: Command): void {
  const command = program
    .command('weights')
    .description('make files of weights for rules (docs/pensieve-weights.md)');
  const converting = command
    .command('convert')
    .description("convert a TensorFlow checkpoint of Pensieve's training into weights of the rule pensieve")
    .argument('<checkpoint>', 'path of its files without .index and .data-00000-of-00001');
  withOptions(converting, 'output', outFile('output file').makeOptionMandatory())
    .addHelpText(
      'after',
      `
Example:
  git clone https://github.com/hongzimao/pensieve
  pitwall weights convert pensieve/test/models/pretrain_linear_reward.ckpt --out pensieve.json
  pitwall sim --rules pensieve:weights=pensieve.json --traces my-traces`,
    )
    .action(runConvert);
}

async function runConvert(given: string, { out }: { readonly out: string }): Promise<void> {
  await mustBeWritable('--out', out);
  const checkpoint = given.replace(/\.(index|meta|data-\d{5}-of-\d{5})$/, '');
  const index = await readBytes(`${checkpoint}.index`);
  const data = await readBytes(`${checkpoint}.data-00000-of-00001`);
  const name = path.basename(checkpoint, '.ckpt');
  const text = convertCheckpoint(name, { index, data });
  if (!text.ok) throw usageError(`The checkpoint ${checkpoint} cannot be converted: ${text.error}`);
  writeAtomically(out, text.value);
  process.stdout.write(`${out}: weights of the net ${name}, under the licence of its checkpoint\n`);
}

const readBytes = (file: string): Promise<Buffer> =>
  readPlainBytes(file).catch((error: unknown) => {
    throw usageError(formatFileError(file, error));
  });

/** Constants of Pensieve's sim/a3c.py and sim/multi_agent.py, which its checkpoints do not contain. */
const LADDER_KBPS = [300, 750, 1200, 1850, 2850, 4300];
const HISTORY = 8;
const WIDTH = 128;
const DIVISORS: PensieveDivisors = {
  bitrateKbps: 4300,
  bufferMs: 10_000,
  rateKbps: 8000,
  downloadMs: 10_000,
  sizeBytes: 1_000_000,
  segmentsLeft: 48,
};

/** Names that TFLearn gave the layers of the actor, in the order in which sim/a3c.py makes them. */
const NAMES: Readonly<Record<PensieveLayer, string>> = {
  lastBitrate: 'FullyConnected',
  buffer: 'FullyConnected_1',
  rates: 'Conv1D',
  downloadTimes: 'Conv1D_1',
  nextSizes: 'Conv1D_2',
  segmentsLeft: 'FullyConnected_2',
  merge: 'FullyConnected_3',
  logits: 'FullyConnected_4',
};

/** Taps of a convolution, and the one that meets data: SAME padding puts one zero before a sequence of length 1. */
const TAPS = 4;
const ACTING_TAP = 1;

/** Makes the text of a file of weights from a checkpoint of Pensieve's training. The error is the end of a sentence. */
export function convertCheckpoint(name: string, files: CheckpointFiles): Result<string> {
  try {
    const checkpoint = new Checkpoint(files);
    const shapes = pensieveShapes(LADDER_KBPS.length, HISTORY, WIDTH);
    const layers = PENSIEVE_LAYERS.map((layer) => [
      layer,
      layerOf(checkpoint, `actor/${NAMES[layer]}`, shapes[layer]),
    ]);
    const text = JSON.stringify({
      format: PENSIEVE_FORMAT,
      name,
      ladderKbps: LADDER_KBPS,
      history: HISTORY,
      width: WIDTH,
      divisors: DIVISORS,
      layers: Object.fromEntries(layers) as unknown,
    });
    const read = readPensieveWeights(text);
    return read.ok ? { ok: true, value: text } : read;
  } catch (fault) {
    if (fault instanceof CheckpointFault) return failed(fault.message);
    throw fault;
  }
}

function layerOf(checkpoint: Checkpoint, name: string, [inputs, outputs]: readonly [number, number]) {
  const isConvolution = name.includes('Conv1D');
  const taps = isConvolution ? [TAPS, 1] : [];
  const kernel = checkpoint.readFloats(`${name}/W`, [...taps, inputs, outputs]);
  const start = isConvolution ? ACTING_TAP * inputs * outputs : 0;
  return {
    kernel: tensor([inputs, outputs], kernel.subarray(start, start + inputs * outputs)),
    bias: tensor([outputs], checkpoint.readFloats(`${name}/b`, [outputs])),
  };
}

function tensor(shape: readonly number[], numbers: Float32Array) {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, at) => bytes.writeFloatLE(number, 4 * at));
  return { shape, data: bytes.toString('base64') };
}
