import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@hansom/doubles/free-port'
import { expect } from 'vitest'
import { testPassword } from './test-app.ts'

let built: Promise<unknown> | undefined

/** Returns the server's production bundle, built if it changed: it starts much faster than the sources. */
export async function builtServer(): Promise<string> {
  built ??= promisify(execFile)(process.execPath, [pathOf('../../../scripts/build.mjs'), 'server'])
  await built
  return pathOf('../dist/main.js')
}
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Calls a server, or the balancer before several, as its users do. */
export class ServerCalls {
  readonly origin: string
  /** Since when callers wait who have neither an answer nor a broken connection, ms. */
  private readonly waiting = new Set<{ since: number }>()
  private longestMs = 0
  /** Connections that ended without an answer, since `forget`. */
  broken = 0

  constructor(origin: string) {
    this.origin = origin
  }

  /** The longest that a caller waited, and those who wait still, since `forget`, ms. */
  get slowestMs(): number {
    const now = performance.now()
    return Math.max(this.longestMs, ...[...this.waiting].map(({ since }) => now - since))
  }

  forget(): void {
    this.longestMs = 0
    this.broken = 0
  }

  url(path: string): string {
    return this.origin + path
  }

  /** Returns the response; null without a response or on 503. Throws for other errors. */
  async post(path: string, bearer: string, body: object, key?: string): Promise<unknown> {
    const headers = {
      'content-type': 'application/json',
      authorization: bearer,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    let answer: Response
    let text: string
    const call = { since: performance.now() }
    this.waiting.add(call)
    try {
      answer = await fetch(this.url(path), { method: 'POST', headers, body: JSON.stringify(body) })
      text = await answer.text()
    } catch {
      this.broken++
      return null
    } finally {
      this.waiting.delete(call)
      this.longestMs = Math.max(this.longestMs, performance.now() - call.since)
    }
    if (answer.status === 503) {
      expect(Number(answer.headers.get('retry-after')), text).toBeGreaterThan(0)
      return null
    }
    // Trips are short here, and bookings per rider are limited per minute.
    if (answer.status === 429) {
      await wait(500)
      return null
    }
    // The driver index is updated shortly after the driver's last trip ended.
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

  /** Response of the health check; null without a response. */
  async health(): Promise<Response | null> {
    return fetch(this.url('/healthz')).catch(() => null)
  }
}

/** Runs the real server on a fixed port; can be restarted. */
export class ServerProcess extends ServerCalls {
  readonly port: number
  /** Everything the server printed. */
  output = ''
  private readonly program: string
  private readonly databaseUrl: string
  private child: ChildProcess | undefined

  private constructor(program: string, databaseUrl: string, port: number) {
    super(`http://127.0.0.1:${port}`)
    this.program = program
    this.databaseUrl = databaseUrl
    this.port = port
  }

  static async at(databaseUrl: string): Promise<ServerProcess> {
    return new ServerProcess(await builtServer(), databaseUrl, await freePort())
  }

  /** Starts the server without waiting. */
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

  /** Resolves when the server is ready. */
  async untilHealthy(): Promise<void> {
    while (!(await this.health())?.ok) {
      if (!this.isRunning()) throw new Error(`the server exited:\n${this.output}`)
      await wait(50)
    }
  }

  async start(): Promise<void> {
    this.launch()
    await this.untilHealthy()
  }

  /** Returns the result of `work`; throws when the process exits before that. */
  async whileRunning<T>(work: Promise<T>): Promise<T> {
    const ended = once(this.child as ChildProcess, 'exit').then(() => {
      throw new Error(`the server exited:\n${this.output}`)
    })
    return Promise.race([work, ended])
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null
  }

  /** Freezes the process, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(signal)
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child === undefined || !this.isRunning()) return
    const ended = once(this.child, 'exit')
    this.child.kill(signal)
    await ended
  }
}
