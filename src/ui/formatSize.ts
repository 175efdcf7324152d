/** A file size for people, decimal units as file managers show them: 412_300 bytes is "412 kB". */
export function formatSize(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} bytes`;
  if (sizeBytes < 999_500) return `${Math.round(sizeBytes / 1000)} kB`;
  return `${(sizeBytes / 1e6).toFixed(sizeBytes < 99.5e6 ? 1 : 0)} MB`;
}
