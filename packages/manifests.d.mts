export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly files: readonly string[];
  readonly unpkg?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** package.json of each package, from that of the root. @throws Error for a library that the root does not have */
export function manifestsOf(
  rootManifest: Readonly<Record<string, unknown>>,
  options?: { readonly libraries?: readonly string[] },
): Record<'telemetry' | 'abr' | 'pitwall', PackageManifest>;
