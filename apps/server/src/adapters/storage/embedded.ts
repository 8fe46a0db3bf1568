import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  bookingFolder,
  chatsFolder,
  checkArchiveName,
  type Storage,
  StorageError,
  userFolder,
} from './port.ts'
import type { SignedLinks } from './signed-links.ts'
import { checkPath, checkType, readStored } from './stored-file.ts'

export interface EmbeddedStorageOptions {
  /** Files are in its subfolder `files`, unencoded, readable only by the server's user. */
  dataDir: string
  links: SignedLinks
}

/** Files on the server's disk. */
export async function embeddedStorage({ dataDir, links }: EmbeddedStorageOptions): Promise<Storage> {
  const root = join(dataDir, 'files')
  const incoming = join(root, '.incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await removeLeftovers(incoming)

  const write = async (path: string, bytes: Uint8Array) => {
    const draft = join(incoming, randomBytes(12).toString('hex'))
    const target = join(root, path)
    try {
      await writeThrough(draft, bytes)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await rename(draft, target)
      await syncFolder(dirname(target))
    } catch (error) {
      await rm(draft, { force: true })
      throw asStorageError(error)
    }
  }

  return {
    ...links,
    put: async (path, bytes, contentType) => {
      checkPath(path)
      checkType(bytes, contentType)
      await write(path, bytes)
    },
    archive: async (name, bytes) => {
      checkArchiveName(name)
      await write(name, bytes)
    },
    get: async (path) => {
      checkPath(path)
      const bytes = await readFile(join(root, path)).catch(nullWhenAbsent)
      return bytes === null ? null : readStored(bytes)
    },
    remove: async (path) => {
      checkPath(path)
      await rm(join(root, path), { force: true })
    },
    removeUser: async (uid) => {
      await rm(join(root, userFolder(uid)), { recursive: true, force: true })
    },
    removeBooking: async (id) => {
      await rm(join(root, bookingFolder(id)), { recursive: true, force: true })
    },
    removeChats: async (bookingId) => {
      await rm(join(root, chatsFolder(bookingId)), { recursive: true, force: true })
    },
  }
}

async function writeThrough(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a rename durable across a power loss. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

const anHourMs = 3_600_000

/** Removes partial files of a killed server; a younger file may belong to another running server. */
async function removeLeftovers(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const file = join(incoming, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    // File system time, not the demo's clock.
    if (Date.now() - mtimeMs > anHourMs) await rm(file, { force: true })
  }
}

const absent = ['ENOENT', 'ENOTDIR']

function nullWhenAbsent(error: NodeJS.ErrnoException): null {
  if (absent.includes(error.code ?? '')) return null
  throw asStorageError(error)
}

function asStorageError(error: unknown): StorageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error'
  return new StorageError(`disk error: ${code}`)
}
