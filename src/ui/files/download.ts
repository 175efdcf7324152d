/** Saves a file under a name: the browser's own download. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[^\w.-]+/g, '-');
  link.click();
  // The download has its own reference by the next task in Chromium and Firefox; a minute is for slow disks.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
