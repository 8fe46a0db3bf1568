import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@hansom/doubles/free-port'
import { Client } from 'pg'

/** PgBouncer in transaction mode on loopback. */
export interface TestPooler {
  url: string
  /** Ends it at once, with every connection. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Asks its console. */
  ask(command: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
)

/** `npm test` installs one where it can. */
export const hasPooler = program !== undefined

/** Starts a pooler in front of the database at `url` with this number of connections to it. */
export async function startTestPooler(url: string, connections: number): Promise<TestPooler> {
  const place = new URL(url)
  const name = place.pathname.slice(1)
  const host = place.searchParams.get('host') ?? place.hostname
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'hansom-pooler-'))
  const target = [
    `host=${host}`,
    ...(place.port ? [`port=${place.port}`] : []),
    `user=${decodeURIComponent(place.username)}`,
    ...(place.password ? [`password=${decodeURIComponent(place.password)}`] : []),
  ]
  const settings = [
    '[databases]',
    `${name} = ${target.join(' ')}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    'auth_type = any\nadmin_users = console\npool_mode = transaction',
    `default_pool_size = ${connections}\nserver_login_retry = 1`,
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, settings.join('\n'))
  // It refuses to run as root, and must read the socket of PostgreSQL.
  const { uid, gid } = host.startsWith('/') ? statSync(host) : { uid: 65_534, gid: 65_534 }
  const user = process.getuid?.() === 0 ? { uid, gid } : {}
  chmodSync(folder, 0o755)
  const client = (database: string, asUser: string) =>
    new Client({ host: '127.0.0.1', port, database, user: asUser })

  async function ask(command: string): Promise<Record<string, unknown>[]> {
    const console = client('pgbouncer', 'console')
    await console.connect()
    return console
      .query(command)
      .then(({ rows }) => rows)
      .finally(() => console.end())
  }
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(program ?? '', [file], { stdio: 'ignore', ...user })
    while ((await ask('show version').catch(() => null)) === null) {
      if (child.exitCode !== null) throw new Error(`PgBouncer exited: ${child.exitCode}`)
      await wait(20)
    }
  }
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    url: `postgresql://hansom@127.0.0.1:${port}/${name}`,
    start,
    kill,
    ask,
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
