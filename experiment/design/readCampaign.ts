import { campaignFaults, type Known } from './campaignFaults.ts';
import { CampaignFile } from './campaignFile.ts';
import { placedJson } from '../../src/network/text/placedJson.ts';
import { readingOf } from '../../src/network/text/textFault.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import { checkOf, type Check, type Fault } from '../../src/telemetry/schema/checkOf.ts';
import { isObject } from '../../src/shared/jsonObject.ts';
import { campaignOfTransfers, isOfTransfers, TRANSFER_SCHEMA, TransferFile } from './transferFile.ts';

const checkCampaign = checkOf(CampaignFile);
const checkTransfers = checkOf(TransferFile);

/**
 * Reads a campaign file, or a transfer file as the campaign that it means. The error is one sentence: the file's name, then
 * line and column where it is not JSON, or the path in the file (`/rules/2`) of the first thing that is wrong.
 */
export function readCampaign(
  text: string,
  { name, known }: { name: string; known: Known },
): Result<CampaignFile> {
  return readFile<CampaignFile>(text, {
    name,
    what: 'campaign',
    valueOf: campaignIn,
    check: (value) => (isTransferFile(value) ? checkTransfers : checkCampaign)(value),
    faultOf: (value) => faultOfKind(value) ?? campaignFaults(campaignIn(value), known)[0] ?? null,
  });
}

const isTransferFile = (value: unknown): value is TransferFile =>
  isObject(value) && value['schema'] === TRANSFER_SCHEMA;

const campaignIn = (value: unknown): CampaignFile =>
  isTransferFile(value) ? campaignOfTransfers(value) : (value as CampaignFile);

/** In files of people rules and transfers have schemas of their own. */
const faultOfKind = (value: unknown): string | null =>
  !isTransferFile(value) && isOfTransfers(value as CampaignFile)
    ? `/transfers is not a field of a campaign: a file with transfers has "schema": "${TRANSFER_SCHEMA}".`
    : null;

interface Reading<File> {
  readonly name: string;
  readonly check: Check;
  /** What the file is: `campaign`. */
  readonly what: string;
  /** What is wrong with a value of the right shape, beginning with its path; null: nothing. */
  faultOf(value: unknown): string | null;
  valueOf(value: unknown): File;
}

/** Reads a JSON file of a schema: first the JSON, then its shape, then what the shape cannot say. */
export function readFile<File>(
  text: string,
  { name, check, what, faultOf, valueOf }: Reading<File>,
): Result<File> {
  const json = readingOf(name, () => placedJson(text));
  if (!json.ok) return json;
  const value = JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  const fault = faultOfShape(check(value), what) ?? faultOf(value);
  return fault === null ? ok(valueOf(value)) : failed(`${name}: ${onOneLine(fault)}`);
}

/** A name in the file may hold line breaks: they are shown as JSON writes them. */
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, escaped);

const escaped = (character: string): string =>
  character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function faultOfShape(fault: Fault | null, what: string): string | null {
  if (!fault) return null;
  const where = fault.path || 'the file';
  return fault.wanted === null
    ? `${where} is not a field of a ${what}.`
    : `${where} should be ${fault.wanted}, but it is ${quoted(fault.value)}.`;
}

function quoted(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
