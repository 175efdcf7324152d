const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'It is not permitted.',
  EPERM: 'It is not permitted.',
  EROFS: 'It is on a disk that can only be read.',
  ENOSPC: 'There is no space left for it.',
  EDQUOT: 'There is no space left for it (a quota).',
  ENAMETOOLONG: 'Its name is too long.',
  EEXIST: 'It is a file, not a folder.',
  EISDIR: 'It is a folder, not a file.',
  ENOTDIR: 'A part of its path is a file, not a folder.',
};

/** Why a file could not be read or written, in one sentence that names it. */
export function sentenceOf(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `${file}: ${REASONS[code ?? ''] ?? message}`;
}
