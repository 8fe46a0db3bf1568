import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { unit } from '@hansom/domain/money/amount'
import { freePort } from '@hansom/doubles/free-port'
import { uuidv7 } from 'uuidv7'
import { WebSocket } from 'ws'
import { createTestApp, type TestApp, testPassword } from './test-app.ts'
import { builtServer } from './test-server-process.ts'

const home = { lat: -34.9058, lng: -56.1913 }
const megabyte = 1024 * 1024

/** A separate production build of the server, with many clients behind one IP address. */
export class Crowd {
  private readonly app: TestApp
  private readonly server: ChildProcess
  private readonly url: string
  private readonly headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.50' }
  private carType = ''

  private constructor(app: TestApp, server: ChildProcess, url: string) {
    this.app = app
    this.server = server
    this.url = url
  }

  static async start(): Promise<Crowd> {
    const app = await createTestApp()
    const port = await freePort()
    const server = spawn(process.execPath, ['--enable-source-maps', await builtServer()], {
      env: {
        NODE_ENV: 'development',
        DEMO: 'off',
        HOST: '127.0.0.1',
        PORT: String(port),
        DATABASE_URL: app.database.url,
        DATA_DIR: join(tmpdir(), 'hansom-test-maps'),
        AUTH_SECRET: 'a secret that is only used by tests, long enough',
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const crowd = new Crowd(app, server, `http://127.0.0.1:${port}`)
    await crowd.addCarTypes()
    while (
      !(await fetch(`${crowd.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (server.exitCode !== null) throw new Error(`the server exited with ${server.exitCode}`)
      await wait(50)
    }
    return crowd
  }

  async stop(): Promise<void> {
    if (this.server.exitCode === null) {
      this.server.kill('SIGTERM')
      await once(this.server, 'exit')
    }
    await this.app.close()
  }

  /**
   * Runs visitors that subscribe to public topics at the rate limit, read nothing, and reconnect when cut off. Returns
   * the peak growth of the server's memory, MB.
   */
  async neverRead(count: number, seconds: number): Promise<{ grewMb: number; asked: number }> {
    let asked = 0
    let isOver = false
    const visit = async () => {
      while (!isOver) {
        const ws = new WebSocket(`${this.url.replace('http', 'ws')}/live`, {
          origin: this.url,
          headers: { 'x-forwarded-for': '203.0.113.50' },
        })
        const closed = new Promise((resolve) => ws.once('close', resolve))
        ws.on('error', () => {})
        await Promise.race([once(ws, 'open').catch(() => null), closed])
        ws.pause()
        while (!isOver && ws.readyState === WebSocket.OPEN) {
          for (const topic of ['carTypes', 'settings', 'cancelReasons', 'nothing']) {
            ws.send(JSON.stringify({ t: 'sub', topic }))
            asked++
          }
          await wait(110)
        }
        ws.terminate()
        await closed
        await wait(200)
      }
    }
    const before = await this.memoryMb()
    let most = before
    const visits = Promise.all(Array.from({ length: count }, visit))
    for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
      await wait(500)
      most = Math.max(most, await this.memoryMb())
    }
    isOver = true
    await visits
    return { grewMb: most - before, asked }
  }

  /**
   * Runs users who sign in, connect and keep working: drivers report their position every second, riders list their
   * bookings.
   */
  async signInAndWork(drivers: number, riders: number, seconds: number) {
    const people = await this.addPeople(drivers, riders)
    const refused: string[] = []
    let answered = 0
    const ask = async (method: string, path: string, bearer: string | null, body?: object) => {
      const answer = await fetch(this.url + path, {
        method,
        headers: { ...this.headers, ...(bearer === null ? {} : { authorization: bearer }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.ok) answered++
      else refused.push(`${path} ${answer.status} ${text}`)
      return text
    }
    const sockets: WebSocket[] = []
    const signIn = async (email: string) => {
      const credentials = { email, password: testPassword }
      const text = await ask('POST', '/api/auth/sign-in/email', null, credentials)
      const { token } = JSON.parse(text) as { token?: string }
      if (token === undefined) return null
      const ws = new WebSocket(`${this.url.replace('http', 'ws')}/live`, {
        headers: { ...this.headers, authorization: `Bearer ${token}` },
      })
      ws.on('error', (error) => refused.push(`/live ${error.message}`))
      await Promise.race([once(ws, 'open').catch(() => null), once(ws, 'close')])
      sockets.push(ws)
      return `Bearer ${token}`
    }
    const bearers = await inTurns(people, 40, signIn)
    const end = performance.now() + seconds * 1_000
    const work = bearers.map(async (bearer, number) => {
      const everyMs = number < drivers ? 1_000 : 5_000
      await wait((number * 7) % everyMs)
      while (performance.now() < end) {
        const startedAt = performance.now()
        if (number < drivers) {
          const position = { ...home, at: Date.now() }
          await ask('POST', '/api/v1/driver/positions', bearer, { positions: [position] })
        } else {
          await ask('GET', '/api/v1/bookings?status=open', bearer)
        }
        await wait(Math.max(0, everyMs - (performance.now() - startedAt)))
      }
    })
    await Promise.all(work)
    const connected = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length
    for (const ws of sockets) ws.terminate()
    return { refused, answered, connected }
  }

  private async addPeople(drivers: number, riders: number): Promise<string[]> {
    const run = uuidv7().slice(-8)
    const names = Array.from({ length: drivers + riders }, (_, number) => ({
      email: `p${number}-${run}@example.test`,
      usertype: number < drivers ? ('driver' as const) : ('rider' as const),
    }))
    await inTurns(names, 10, (user) => this.app.addUser(user))
    await this.app.database.pool.query(
      `update users set car_type_id = $1, driver_active_status = true where usertype = 'driver'`,
      [this.carType],
    )
    return names.map(({ email }) => email)
  }

  private async addCarTypes(): Promise<void> {
    for (let number = 0; number < 12; number++) {
      this.carType = uuidv7()
      await this.app.database.pool.query(
        `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
          convenience_fee_type, extra_info, created_at) values ($1, $2, $3, $3, $3, $3, $3, 'percentage', $4, 0)`,
        [this.carType, `Car ${number}`, 10 * unit, 'Room for four people and their luggage. '.repeat(6)],
      )
    }
  }

  private async memoryMb(): Promise<number> {
    const status = await readFile(`/proc/${this.server.pid}/status`, 'utf8')
    return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / megabyte
  }
}

/** Runs `work` for all items with limited concurrency; returns the results in order. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = [...items.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      results[next[0]] = await work(next[1])
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
