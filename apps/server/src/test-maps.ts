import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createEmbeddedMaps } from './adapters/maps/embedded.ts'
import type { Maps } from './adapters/maps/port.ts'
import { silentLog } from './platform/log/log.ts'

const folder = join(tmpdir(), 'hansom-test-maps')
let loaded: Promise<Maps> | undefined

/** The embedded city for tests: prepared once for all of them, in a folder that stays. */
export function testMaps(): Promise<Maps> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Maps> {
  const release = await lock()
  try {
    return await createEmbeddedMaps({ dataDir: folder, log: silentLog() })
  } finally {
    release()
  }
}

/** Test files run in processes of their own: one prepares, the others wait. */
async function lock(): Promise<() => void> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'lock')
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch {
      if (!isRunning(file)) rmSync(file, { force: true })
      await wait(100)
    }
  }
}

function isRunning(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    // Nothing in it yet: its writer is about to write.
    if (pid > 0) process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
