export type PackageName = 'telemetry' | 'abr' | 'pitwall';
export const PACKAGES: readonly PackageName[];
/** The files that a page with script tags loads, below the folder of the telemetry package. */
export const TELEMETRY_SCRIPT: string;
export const ELEMENT_SCRIPT: string;
export const HLSJS_SCRIPT: string;
export const SHAKA_SCRIPT: string;
export const TRIAL_SCRIPT: string;
/** What the command line reads beside its code, by places below the root. */
export const PITWALL_FILES: readonly string[];

export interface PackageOptions {
  /** Folder of the results; `packages/out` if absent. */
  readonly out?: string;
  readonly names?: readonly PackageName[];
}

/** Builds the packages into folders of their names. Rejects with one sentence. */
export function buildPackages(
  root: string,
  options?: PackageOptions & { readonly types?: boolean },
): Promise<void>;
/** Packs the folders that `buildPackages` built; returns the paths of the tarballs. @throws Error in one sentence */
export function packPackages(root: string, options?: PackageOptions): Record<PackageName, string>;
