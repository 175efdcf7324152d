const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'Permission denied.',
  EPERM: 'Permission denied.',
  EROFS: 'The file system is read-only.',
  ENOSPC: 'There is no space left on the disk.',
  EDQUOT: 'There is no space left (disk quota).',
  ENAMETOOLONG: 'The name is too long.',
  EEXIST: 'It is a file, not a folder.',
  EISDIR: 'It is a folder, not a file.',
  ENOTDIR: 'A part of its path is a file, not a folder.',
};

/** Why a file could not be read or written, in one sentence that names it. */
export function formatFileError(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `${file}: ${REASONS[code ?? ''] ?? message}`;
}
