import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/**
 * A folder for temporary data: in memory if there is one with more than `bytes` of space. A database has a thousand files,
 * and a file system on a disk is slow at creating files after as many were deleted.
 */
export async function memoryFolder(bytes: number): Promise<string> {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > bytes ? memory : tmpdir()
}
