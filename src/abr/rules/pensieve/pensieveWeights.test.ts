import { describe, expect, it } from 'vitest';
import { base64, testWeights, type WeightsFile } from '../../testWeights.testing.ts';
import { readPensieveWeights } from './pensieveWeights.ts';

const whole = JSON.stringify(testWeights([400, 900]));

/** The reader's verdict on the file after a change. */
function verdict(change: (file: WeightsFile & Record<string, unknown>) => void): string {
  const file = JSON.parse(whole) as WeightsFile & Record<string, unknown>;
  change(file);
  const read = readPensieveWeights(JSON.stringify(file));
  return read.ok ? 'taken' : read.error;
}

describe('weights of pensieve', () => {
  it('are read as they were written', () => {
    const read = readPensieveWeights(whole);
    if (!read.ok) throw new Error(read.error);
    const { name, ladderKbps, history, width, layers } = read.value;
    expect({ name, ladderKbps, history, width }).toEqual({
      name: 'made by a test',
      ladderKbps: [400, 900],
      history: 8,
      width: 128,
    });
    expect(layers.merge).toMatchObject({ inputs: 768, outputs: 128 });
    expect(base64(layers.logits.kernel)).toBe(testWeights([400, 900]).layers['logits']!.kernel.data);
  });

  it('may say more than is needed', () => {
    expect(verdict((file) => (file['trainedBy'] = 'somebody'))).toBe('taken');
  });

  const FAULTS: {
    name: string;
    change: (file: WeightsFile & Record<string, unknown>) => void;
    words: string;
  }[] = [
    {
      name: 'another format',
      change: (file) => (file.format = 'onnx'),
      words: '"format" is "onnx"; "pitwall-pensieve/1" is needed.',
    },
    {
      name: 'no name',
      change: (file) => (file.name = ' '),
      words: '"name" is " "; a name of the net is needed.',
    },
    {
      name: 'no ladder',
      change: (file) => delete (file as Partial<WeightsFile>).ladderKbps,
      words: '"ladderKbps" is missing; an ascending list',
    },
    {
      name: 'a ladder that descends',
      change: (file) => file.ladderKbps.reverse(),
      words: '"ladderKbps" has 400 in place 2; an ascending list',
    },
    {
      name: 'a ladder of another size than the net',
      change: (file) => file.ladderKbps.push(2000),
      words: '"layers.nextSizes.kernel" has the shape [2,128]; 3 × 128 is needed.',
    },
    {
      name: 'half a history',
      change: (file) => (file.history = 2.5),
      words: '"history" is 2.5; a whole number from 1 is needed.',
    },
    {
      name: 'a divisor of 0',
      change: (file) => (file.divisors = { ...file.divisors, bufferMs: 0 }),
      words: '"divisors.bufferMs" is 0; a number above 0 is needed.',
    },
    {
      name: 'a missing layer',
      change: (file) => delete file.layers['merge'],
      words: '"layers.merge" is missing; an object is needed.',
    },
    {
      name: 'a kernel the other way round',
      change: (file) => file.layers['merge']!.kernel.shape.reverse(),
      words: '"layers.merge.kernel" has the shape [128,768]; 768 × 128 is needed.',
    },
    {
      name: 'too few numbers',
      change: (file) => (file.layers['buffer']!.bias.data = base64(new Float32Array(127))),
      words: 'the data of "layers.buffer.bias" has 127 numbers; 128 = 128 are needed.',
    },
    {
      name: 'no numbers',
      change: (file) => (file.layers['buffer']!.bias.data = '?'),
      words: 'the data of "layers.buffer.bias" is no base64 of whole 32-bit floats.',
    },
    {
      name: 'a number that is none',
      change: (file) => (file.layers['logits']!.bias.data = base64(Float32Array.of(1, NaN))),
      words: 'the data of "layers.logits.bias" has NaN in place 2.',
    },
    {
      name: 'a kernel without data',
      change: (file) => delete (file.layers['rates']!.kernel as { data?: string }).data,
      words: '"layers.rates.kernel" has no "data"; base64',
    },
  ];

  it.each(FAULTS)('with $name are refused in one sentence that says where', ({ change, words }) => {
    const error = verdict(change);
    expect(error).toContain(words);
    expect(error).toMatch(/\.$/);
  });

  it.each([
    { text: '{', words: /^the file is no JSON \(.+\)\.$/ },
    { text: '[]', words: /^the file is \[\]; an object is needed\.$/ },
  ])('of $text are refused', ({ text, words }) => {
    const read = readPensieveWeights(text);
    expect(read.ok ? '' : read.error).toMatch(words);
  });
});
