/** Hands a picture to the browser as a download. */
export function savePicture(picture: Blob, laneId: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(picture);
  link.download = `pitwall-${laneId}.png`;
  link.click();
  // The download holds its own reference from the next task on.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
