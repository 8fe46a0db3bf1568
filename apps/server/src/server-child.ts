import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { healthOf } from './platform/http/balancer.ts'
import type { Log } from './platform/log/log.ts'

export interface ServerChildOptions {
  /** Names it in the log, from 1. */
  number: number
  program: string
  port: number
  env: Record<string, string | undefined>
  log: Log
  /** Half of the first pause before it is started again, ms. */
  pauseMs?: number
  /** A server that serves and then does not answer for this time is killed, ms. */
  silentMs?: number
  /** Prints a line of its output. */
  print(line: string): void
  /** The notice of a server that is ready. */
  onNotice(text: string): void
}

const healthMs = 2_000
const lookMs = 100
/** A server has 4.5 s to stop. */
const stopMs = 6_000
const [shortestPauseMs, longestPauseMs] = [1_000, 30_000]
const longestSilenceMs = 30_000
/** A server that lived for this time is started again without a longer pause. */
const stableMs = 60_000

/** A server in a process of its own, which is started again when it dies. */
export class ServerChild {
  readonly port: number
  readonly number: number
  private readonly options: ServerChildOptions
  private child: ChildProcess | undefined
  /** Each `start` and `stop` raises it, which ends attempts that began before. */
  private generation = 0
  private pauseMs: number

  constructor(options: ServerChildOptions) {
    this.options = options
    this.pauseMs = options.pauseMs ?? shortestPauseMs
    this.port = options.port
    this.number = options.number
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  /** Resolves when it serves. Throws when it ends before that; `orLater`: then it is tried again until it serves. */
  async start({ orLater = false } = {}): Promise<void> {
    const generation = ++this.generation
    try {
      await this.serve(generation)
    } catch (error) {
      if (orLater) void this.startAgain(generation, 0)
      throw error
    }
  }

  private async serve(generation: number): Promise<void> {
    const child = this.launch()
    while ((await healthOf(this.port, healthMs)) !== 200) {
      if (hasEnded(child)) throw new Error(`server ${this.number} ended while it started`)
      await wait(lookMs)
    }
    if (hasEnded(child)) void this.startAgain(generation, 0)
    else {
      const servesSince = performance.now()
      child.once('exit', () => void this.startAgain(generation, performance.now() - servesSince))
      void this.watch(child)
    }
  }

  /** Kills a server that lives but answers nothing, not even that it cannot serve. */
  private async watch(child: ChildProcess): Promise<void> {
    const { log, number, silentMs = longestSilenceMs } = this.options
    let heardAt = performance.now()
    while (!hasEnded(child)) {
      await wait(silentMs / 10)
      if ((await healthOf(this.port, healthMs)) !== null) heardAt = performance.now()
      if (performance.now() - heardAt < silentMs || hasEnded(child)) continue
      log.warn({ server: number, silentMs }, 'a server does not answer, killing it')
      child.kill('SIGKILL')
      return
    }
  }

  async stop(): Promise<void> {
    this.generation++
    const { child } = this
    if (child === undefined || hasEnded(child)) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const limit = setTimeout(() => child.kill('SIGKILL'), stopMs)
    await ended
    clearTimeout(limit)
  }

  private launch(): ChildProcess {
    const { program, env, port, print, onNotice } = this.options
    const child = fork(program, {
      env: { ...env, HOST: '127.0.0.1', PORT: String(port) },
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.child = child
    for (const input of [child.stdout, child.stderr]) if (input) createInterface({ input }).on('line', print)
    child.on('message', ({ notice }: { notice: string }) => onNotice(notice))
    return child
  }

  private async startAgain(generation: number, livedMs: number): Promise<void> {
    const { log, number, pauseMs = shortestPauseMs } = this.options
    this.pauseMs = livedMs > stableMs ? pauseMs : Math.min(longestPauseMs, this.pauseMs * 2)
    while (this.generation === generation) {
      log.warn({ server: number, pauseMs: this.pauseMs }, 'a server ended, starting it again')
      await wait(this.pauseMs)
      if (this.generation !== generation) return
      try {
        return await this.serve(generation)
      } catch {
        this.pauseMs = Math.min(longestPauseMs, this.pauseMs * 2)
      }
    }
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null
