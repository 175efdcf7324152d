import path from 'node:path';
import type { Command } from 'commander';
import { withOptions } from './declareOptions.ts';
import { outFile } from './sharedOptions.ts';
import { convertCheckpoint } from './weights/convertCheckpoint.ts';
import { formatFileError, mustBeWritable, readPlainBytes, writeAtomically } from '../node/files.ts';
import { usageError } from '../node/exitCodes.ts';

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
