import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const ownHost = hostname().replace(/[^A-Za-z0-9-]/g, '-') || 'host'
const longestImportMs = 6 * 3_600_000

/** One folder for each prepared region, in the data folder's subfolder `maps`. Processes may share it. */
export class RegionFolders {
  constructor(protected readonly home: string) {}

  folder(id: string): string {
    return join(this.home, id)
  }

  /** A new folder's path, in which a process prepares a region. */
  workFolder(id: string): string {
    mkdirSync(this.home, { recursive: true })
    return `${this.folder(id)}.${ownHost}.${process.pid}.${randomUUID().slice(0, 8)}.making`
  }

  /** Puts a prepared folder in the place of the region's former one. Of two at the same moment, the last one stays. */
  replace(id: string, work: string): void {
    const former = work.replace(/making$/, 'former')
    for (let isPlaced = false; !isPlaced; ) {
      unless(['ENOENT'], () => renameSync(this.folder(id), former))
      isPlaced = unless(['ENOTEMPTY', 'EEXIST'], () => renameSync(work, this.folder(id)))
      rmSync(former, { recursive: true, force: true })
    }
  }

  /** Waits, at most a second, while an import has moved the former folder away and is about to place its own. */
  protected async untilPlaced(id: string): Promise<void> {
    const isBetween = () =>
      !existsSync(this.folder(id)) &&
      this.names().some((name) => name.startsWith(`${id}.`) && name.endsWith('.former'))
    for (let tries = 0; tries < 20 && isBetween(); tries++) await wait(50)
  }

  /** Removes what interrupted processes left, and maps of versions that had no region names. */
  tidy(): void {
    for (const name of this.names()) {
      const [, id, host = '', pid, state] =
        /^([^.]+)\.([^.]+)\.(\d+)\.[0-9a-f]+\.(making|former)$/.exec(name) ?? []
      const isOld = /^\d+-[0-9a-f]{12}(\.|$)/.test(name)
      if (pid === undefined ? !isOld : this.isAtWork(name, host, Number(pid))) continue
      if (state === 'former' && id !== undefined && !existsSync(this.folder(id))) {
        renameSync(join(this.home, name), this.folder(id))
      } else rmSync(join(this.home, name), { recursive: true, force: true })
    }
  }

  /** A process of another machine that shares the folder, such as a container, counts as running for some hours. */
  private isAtWork(name: string, host: string, pid: number): boolean {
    if (host === ownHost) return isRunning(pid)
    const changed = statSync(join(this.home, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
    return Date.now() - changed < longestImportMs
  }

  protected names(): string[] {
    return existsSync(this.home) ? readdirSync(this.home) : []
  }
}

/** Whether an operation succeeded; false if it failed with one of these codes, because another process was faster. */
function unless(codes: readonly string[], operation: () => void): boolean {
  try {
    operation()
    return true
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
