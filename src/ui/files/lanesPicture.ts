import type { ChartPanel } from '../../charts/shell/chartPanel.ts';

/** Every lane of the chart panel in one picture, one below the other, on the page's own ground. */
export async function lanesPicture(chartPanel: ChartPanel): Promise<Blob> {
  const pictures: ImageBitmap[] = [];
  for (const { id } of chartPanel.lanes()) pictures.push(await createImageBitmap(await chartPanel.png(id)));
  const width = Math.max(1, ...pictures.map((each) => each.width));
  const height = Math.max(
    1,
    pictures.reduce((sum, each) => sum + each.height, 0),
  );
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser gives no 2D canvas of this size');
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--surface');
  context.fillRect(0, 0, width, height);
  let top = 0;
  for (const picture of pictures) {
    context.drawImage(picture, 0, top);
    top += picture.height;
    picture.close();
  }
  return await new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))),
      'image/png',
    ),
  );
}
