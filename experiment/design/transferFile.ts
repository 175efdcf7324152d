import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { CampaignFile, CAMPAIGN_SCHEMA } from './campaignFile.ts';
import { ComparedTransfers, transferLists } from '../factors/registry.ts';
import { parseTransfer, type Transfer } from '../../src/shared/transfer.ts';
import { valueOf } from '../../src/shared/result.ts';

export const TRANSFER_SCHEMA = 'pitwall-transfer/1';

const fields = CampaignFile.properties;

/**
 * Defines an experiment without a player: browsers download files, and their requests are recorded. Each possible combination
 * of a transfer and a value of each other factor is an arm. All other fields mean what they mean in a campaign.
 * `docs/transfer.md` documents each field.
 */
export const TransferFile = Type.Object(
  {
    schema: Type.Literal(TRANSFER_SCHEMA),
    name: fields.name,
    about: fields.about,
    /** What a session downloads, as in `src/shared/transfer.ts`: `objects:mb=2,5,10`, `ranges:mb=1:ranges=6`. */
    transfers: Type.Array(Type.String({ minLength: 1, maxLength: 400 }), { minItems: 1, maxItems: 100 }),
    ...transferLists,
    origin: fields.origin,
    aaSessions: fields.aaSessions,
    initialWindowPackets: fields.initialWindowPackets,
    tcpPacing: fields.tcpPacing,
    tlsRecords: fields.tlsRecords,
    profiles: fields.profiles,
    repeats: fields.repeats,
    blocks: fields.blocks,
    seeds: fields.seeds,
    /** After so many s a session ends: what has not arrived by then is given up. */
    maxSeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
    leadInSeconds: fields.leadInSeconds,
    phase: fields.phase,
    primary: fields.primary,
    margin: fields.margin,
    marginPercent: fields.marginPercent,
    alpha: fields.alpha,
    /** The compared factor; all other factors of an arm are equal. */
    compare: ComparedTransfers,
    control: fields.control,
    per: fields.per,
    infer: fields.infer,
  },
  { additionalProperties: false, $id: TRANSFER_SCHEMA, title: 'Pitwall transfer campaign' },
);

export type TransferFile = Static<typeof TransferFile>;

/** The content of a campaign of transfers: files of random bytes, which the lab makes. */
export const FILES = 'files';
/** Nothing plays: no settings of a player count. */
const NO_PRESET = 'none';

/** A transfer file as the campaign that its plan has, its fields in the order of the file. */
export function campaignOfTransfers({ schema: _, maxSeconds, ...file }: TransferFile): CampaignFile {
  return {
    schema: CAMPAIGN_SCHEMA,
    ...file,
    rules: [],
    contents: [FILES],
    preset: NO_PRESET,
    seconds: maxSeconds,
  };
}

/** Whether a campaign downloads files instead of playing streams. */
export const isOfTransfers = ({ transfers }: Pick<CampaignFile, 'transfers'>): boolean =>
  transfers !== undefined;

/** What a campaign downloads; empty for one that plays streams. */
export const transfersOf = ({ transfers = [] }: Pick<CampaignFile, 'transfers'>): Transfer[] =>
  transfers.map((text) => valueOf(parseTransfer(text)));
