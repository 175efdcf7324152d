/** Hands a picture to the browser's downloads. */
export function savePicture(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}.png`;
  link.click();
  // The download reads the address after this turn; a minute is ample even for a slow disk.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
