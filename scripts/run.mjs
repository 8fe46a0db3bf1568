import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/** An error that the user has to fix. */
export class SetupError extends Error {
  name = 'SetupError'
}

// Errors printed without a stack; for others the stack is more useful.
const plain = ['SetupError', 'ConfigError', 'DatabaseUnavailableError']

/**
 * Runs a program and waits for it; it shares our output. SIGTERM and SIGINT are forwarded to it.
 * @param {string} command @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean, cwd?: string }} [options] `quiet`: output is returned, not shown
 * @returns {Promise<{ code: number, output: string }>} code 127: the program does not exist
 */
export function run(command, args, { env, quiet = false, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    })
    let output = ''
    child.stdout?.on('data', (text) => (output += text))
    child.stderr?.on('data', (text) => (output += text))
    const forward = (/** @type {NodeJS.Signals} */ signal) => {
      child.kill(signal)
      process.exitCode = 1
    }
    process.on('SIGTERM', forward).on('SIGINT', forward)
    const end = (/** @type {number} */ code) => {
      process.off('SIGTERM', forward).off('SIGINT', forward)
      resolve({ code, output })
    }
    child.once('error', (error) => {
      output += error.message
      end(127)
    })
    child.once('close', (code) => end(code ?? 1))
  })
}

/**
 * Runs npm: the one that runs us, or the one on the path.
 * @param {string[]} args @param {Parameters<typeof run>[2]} [options]
 */
export function npm(args, options) {
  const path = process.env.npm_execpath
  return path?.endsWith('.js') ? run(process.execPath, [path, ...args], options) : run('npm', args, options)
}

/** Runs the main function of a script; prints a readable error and exits when it fails. */
export async function main(/** @type {() => Promise<unknown>} */ work) {
  try {
    await work()
  } catch (error) {
    console.error(plain.includes(error?.name) ? `\n${error.message}\n` : error)
    process.exit(1)
  }
}

/** Stops this process when npm exits: a killed npm forwards no signal. */
export function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 1000)
  timer.unref()
}
