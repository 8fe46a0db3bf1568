import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Log } from './platform/log/log.ts'

export interface SimulatorOptions {
  /** URL of this server. */
  url: string
  /** Password of the simulated users. */
  password: string
  drivers: number
  riders: number
  log: Log
}

export interface SimulatorProcess {
  stop(): Promise<void>
}

const pauseMs = 5_000
// A server run from source runs the simulator from source too.
const isBundle = import.meta.url.endsWith('.js')
const program = fileURLToPath(
  new URL(isBundle ? '../../simulator/dist/main.js' : '../../simulator/src/main.ts', import.meta.url),
)

/** Runs the simulated city in a child process, and restarts it when it fails. */
export function startSimulator({ url, password, drivers, riders, log }: SimulatorOptions): SimulatorProcess {
  let stopping = false
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined

  const launch = () => {
    child = fork(program, {
      env: {
        HANSOM_URL: url,
        SIM_PASSWORD: password,
        DEMO_DRIVERS: String(drivers),
        DEMO_RIDERS: String(riders),
      },
      execArgv: isBundle ? ['--enable-source-maps'] : ['--import', 'tsx'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const output of [child.stdout, child.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => log.info(text.trim()))
    }
    child.on('error', (error) => log.error({ err: error }, 'failed to start the simulator'))
    child.once('exit', (code, signal) => {
      child = undefined
      if (stopping) return
      log.warn({ code, signal }, 'simulator exited, restarting in 5 s')
      timer = setTimeout(launch, pauseMs)
    })
  }
  launch()

  return {
    stop: async () => {
      stopping = true
      clearTimeout(timer)
      const running = child
      if (running === undefined) return
      const exited = new Promise<void>((resolve) => running.once('exit', () => resolve()))
      running.kill('SIGTERM')
      const limit = setTimeout(() => running.kill('SIGKILL'), 1_500)
      await exited
      clearTimeout(limit)
    },
  }
}
