import { fork } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { RegionFolders } from './region-folders.ts'

export interface PrepareOptions {
  id: string
  /** Absolute path of an `.osm.pbf` file; null for the packaged map. */
  extract: string | null
  /**
   * In a process of its own, so that a server does not keep the memory; otherwise in a thread, which cannot
   * outlive this process.
   */
  isSeparate: boolean
}

/** What the preparing process or thread is told. */
export interface PrepareTask {
  id: string
  extract: string | null
  /** It writes here; the folder does not exist yet. */
  folder: string
}

export interface PrepareProgress {
  stage: string
  /** Of all the work, 0 to 1. */
  share: number
}

// A server running from source runs the program from source too.
const isBundle = !import.meta.url.endsWith('.ts')
const program = new URL(isBundle ? 'prepare-process.js' : 'prepare-process.ts', import.meta.url)
/** Threads ignore `--import`, so they register tsx themselves. */
const fromSource = `import('tsx/esm/api').then(({ register }) => {
  register()
  return import('${program.href}')
})`
const nodeOptions = isBundle ? ['--enable-source-maps'] : ['--import', 'tsx']

/**
 * Prepares a region off this thread and puts it in place of a former one. If it fails or is aborted, the former region
 * is unchanged and no files are left. Throws an error whose message can be printed.
 */
export async function prepareRegion(
  store: RegionFolders,
  { id, extract, isSeparate }: PrepareOptions,
  onProgress: (progress: PrepareProgress) => void,
  signal?: AbortSignal,
): Promise<void> {
  const folder = store.workFolder(id)
  const task: PrepareTask = { id, extract, folder }
  try {
    await (isSeparate ? inProcess(task, onProgress) : inThread(task, onProgress, signal))
    store.replace(id, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Message = PrepareProgress | { failed: string }

function inProcess(task: PrepareTask, onProgress: (progress: PrepareProgress) => void): Promise<void> {
  const child = fork(fileURLToPath(program), [JSON.stringify(task)], {
    execArgv: nodeOptions,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  let complaint = ''
  let failed: string | undefined
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  child.on('message', (message: Message) => {
    if ('failed' in message) failed = message.failed
    else onProgress(message)
  })
  return new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0 && failed === undefined) resolve()
      else reject(new Error(failed ?? signal ?? complaint.trim()))
    })
  }).finally(() => process.off('exit', end))
}

/** Less memory for a small extract; for a large one, more than Node's 48 MB spare a tenth of the time. */
function youngMegabytes(extract: string | null): number {
  const megabytes = extract === null ? 0 : (statSync(extract, { throwIfNoEntry: false })?.size ?? 0) / 1e6
  return Math.round(Math.min(96, Math.max(12, megabytes * 5)))
}

function inThread(
  task: PrepareTask,
  onProgress: (progress: PrepareProgress) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const resourceLimits = { maxYoungGenerationSizeMb: youngMegabytes(task.extract) }
  const thread = isBundle
    ? new Worker(program, { workerData: task, resourceLimits })
    : new Worker(fromSource, { workerData: task, resourceLimits, eval: true })
  return new Promise<void>((resolve, reject) => {
    signal?.addEventListener('abort', () => void thread.terminate())
    thread.on('message', (message: Message) => {
      if ('failed' in message) reject(new Error(message.failed))
      else onProgress(message)
    })
    thread.once('error', reject)
    thread.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(signal?.aborted ? 'interrupted' : `the import ended with code ${code}`))
    })
  })
}
