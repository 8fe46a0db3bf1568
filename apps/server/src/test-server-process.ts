import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { testPassword } from './test-app.ts'

/** The file of the program as people run it, built when it has changed: it starts in a fraction of the time of its sources. */
export async function builtServer(): Promise<string> {
  await promisify(execFile)(process.execPath, [pathOf('../../../scripts/build.mjs'), 'server'])
  return pathOf('../dist/main.js')
}
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** The command that starts the real server, on a fixed port, again and again. */
export class ServerProcess {
  readonly port: number
  /** Everything it has printed. */
  output = ''
  private readonly program: string
  private readonly databaseUrl: string
  private child: ChildProcess | undefined

  private constructor(program: string, databaseUrl: string, port: number) {
    this.program = program
    this.databaseUrl = databaseUrl
    this.port = port
  }

  static async at(databaseUrl: string): Promise<ServerProcess> {
    return new ServerProcess(await builtServer(), databaseUrl, await freePort())
  }

  /** Starts it without waiting. */
  launch(env: Record<string, string> = {}): void {
    this.child = spawn(process.execPath, ['--enable-source-maps', this.program], {
      env: {
        ...process.env,
        NODE_ENV: 'development',
        DEMO: 'off',
        HOST: '127.0.0.1',
        PORT: String(this.port),
        DATABASE_URL: this.databaseUrl,
        DATA_DIR: join(tmpdir(), 'hansom-test-maps'),
        AUTH_SECRET: 'a secret that is only used by tests, long enough',
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.on('data', (text) => (this.output += String(text)))
    this.child.stderr?.on('data', (text) => (this.output += String(text)))
  }

  /** Resolves when it is ready to serve. */
  async untilHealthy(): Promise<void> {
    while (!(await this.health())?.ok) {
      if (!this.isRunning()) throw new Error(`the server ended:\n${this.output}`)
      await wait(50)
    }
  }

  /** The answer of its health check; null when nothing answers. */
  async health(): Promise<Response | null> {
    return fetch(this.url('/healthz')).catch(() => null)
  }

  async start(): Promise<void> {
    this.launch()
    await this.untilHealthy()
  }

  /** The result of `work`; throws at once when the process ends before that. */
  async whileRunning<T>(work: Promise<T>): Promise<T> {
    const ended = once(this.child as ChildProcess, 'exit').then(() => {
      throw new Error(`the server ended:\n${this.output}`)
    })
    return Promise.race([work, ended])
  }

  isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child === undefined || !this.isRunning()) return
    const ended = once(this.child, 'exit')
    this.child.kill(signal)
    await ended
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`
  }

  /** The answer; null when there was none, or when the server asked to try again. Throws for a refusal. */
  async post(path: string, bearer: string, body: object, key?: string): Promise<unknown> {
    const headers = {
      'content-type': 'application/json',
      authorization: bearer,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    let answer: Response
    let text: string
    try {
      answer = await fetch(this.url(path), { method: 'POST', headers, body: JSON.stringify(body) })
      text = await answer.text()
    } catch {
      return null
    }
    if (answer.status === 503) {
      expect(Number(answer.headers.get('retry-after')), text).toBeGreaterThan(0)
      return null
    }
    // Trips are short here, and a rider may book so many a minute.
    if (answer.status === 429) {
      await wait(500)
      return null
    }
    // The driver's last trip has ended, and the index of drivers learns of it a moment later.
    if (answer.status === 409 && text.includes('no_driver_found_alert_messege')) return null
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }

  async signIn(email: string): Promise<string> {
    const headers = { 'content-type': 'application/json', origin: this.url('') }
    const body = JSON.stringify({ email, password: testPassword })
    for (;;) {
      const answer = await fetch(this.url('/api/auth/sign-in/email'), { method: 'POST', headers, body })
      const text = await answer.text()
      if (answer.status === 200) return `Bearer ${(JSON.parse(text) as { token: string }).token}`
      if (answer.status !== 503) throw new Error(`${email} cannot sign in: ${answer.status} ${text}`)
      await wait(50)
    }
  }
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
