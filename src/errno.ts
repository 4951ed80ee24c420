/** Describes a system error, such as "permission denied"; undefined for other errors. */
export function describeErrno(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string" || !("syscall" in error))
    return undefined;
  return Object.hasOwn(descriptions, error.code) ? descriptions[error.code] : error.code;
}

const descriptions: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EBUSY: "it is in use",
  EDQUOT: "the disk quota is used up",
  EEXIST: "it already exists",
  EFBIG: "it is too large",
  EIO: "the device reports an error",
  EISDIR: "it is a folder",
  ELOOP: "its links form a cycle",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  ENFILE: "too many files are open",
  ENOENT: "no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "part of the path is not a folder",
  ENOTEMPTY: "the folder is not empty",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ETXTBSY: "it is in use",
  EXDEV: "it is on another file system",
};
