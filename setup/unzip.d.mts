export function unzipOne(archive: Buffer, wanted: (name: string) => boolean): Buffer;
