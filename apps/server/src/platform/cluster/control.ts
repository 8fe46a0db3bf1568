import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The cluster cannot do what was asked; `message` is printed as is. */
export class ClusterError extends Error {}

/** In a data folder that a cluster was the last to use. */
const mark = (dataDir: string) => join(dataDir, 'cluster')
export const markCluster = (dataDir: string): Promise<void> => writeFile(mark(dataDir), '')
export const unmarkCluster = (dataDir: string): Promise<void> => rm(mark(dataDir), { force: true })

/** What uses a data folder, or used it last; null: no cluster. */
export async function clusterIn(dataDir: string): Promise<'running' | 'stopped' | null> {
  if (await isClusterRunning(dataDir)) return 'running'
  return existsSync(mark(dataDir)) ? 'stopped' : null
}

/** True while a cluster uses a data folder, from before it starts its database until that has stopped. */
export async function isClusterRunning(dataDir: string): Promise<boolean> {
  const socket = await reach(controlPath(dataDir))
  socket?.destroy()
  return socket !== null
}

/** The socket of a cluster that uses a data folder; a longer path than this is not allowed. */
function controlPath(dataDir: string): string {
  const path = join(dataDir, 'cluster.sock')
  if (path.length <= 100) return path
  return join(tmpdir(), `hansom-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}.sock`)
}

/** Lets `npm run cluster -- restart` reach this process. Throws ClusterError when another cluster uses the folder. */
export async function openControl(
  dataDir: string,
  restartAll: (say: (line: string) => void) => Promise<void>,
): Promise<Server> {
  const path = controlPath(dataDir)
  const other = await reach(path)
  if (other !== null) {
    other.destroy()
    throw new ClusterError(`Another cluster runs with the data folder ${dataDir}. Stop it first.`)
  }
  await rm(path, { force: true })
  let isRestarting = false
  const server = createServer((socket) => {
    socket.on('error', () => {})
    createInterface({ input: socket }).on('line', async (line) => {
      if (line !== 'restart') return
      if (isRestarting) return void socket.end('a restart is under way\n')
      isRestarting = true
      await restartAll((text) => void socket.write(`${text}\n`)).then(
        () => socket.end('done\n'),
        (error: Error) => socket.end(`${error.message}\n`),
      )
      isRestarting = false
    })
  })
  const before = process.umask(0o177)
  await new Promise<void>((done, fail) => server.once('error', fail).listen(path, done))
  process.umask(before)
  return server.unref()
}

function reach(path: string): Promise<Socket | null> {
  return new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => done(socket)).once('error', () => done(null))
  })
}

/** Restarts the servers of the running cluster. Returns the exit code. */
export async function askForRestart(dataDir: string): Promise<number> {
  const socket = await reach(controlPath(dataDir))
  if (socket === null) throw new ClusterError(`No cluster runs with the data folder ${dataDir}.`)
  socket.write('restart\n')
  let last = ''
  for await (last of createInterface({ input: socket })) process.stdout.write(`${last}\n`)
  return last === 'done' ? 0 : 1
}
