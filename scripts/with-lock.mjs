import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './run.mjs'

const folder = `${root}/node_modules/.cache/hansom`

/**
 * Runs `work` while no other process of ours runs it; a killed process does not block others.
 * @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function oneAtATime(name, work) {
  const file = `${folder}/${name}.lock`
  mkdirSync(folder, { recursive: true })
  while (!take(file)) await wait(200)
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(/** @type {string} */ file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (!isRunning(file)) rmSync(file, { force: true })
  return false
}

function isRunning(/** @type {string} */ file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
