import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@hansom/doubles/free-port'
import { afterAll, afterEach, expect, test } from 'vitest'
import { silentLog } from './platform/log/log.ts'
import { ServerChild } from './server-child.ts'

const folder = mkdtempSync(join(tmpdir(), 'server-child-'))
const program = join(folder, 'server.mjs')
writeFileSync(
  program,
  `import { createServer } from 'node:http'
console.log('launched')
createServer((_request, response) => response.end()).listen(Number(process.env.PORT), '127.0.0.1')`,
)
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => rmSync(folder, { recursive: true }))

test('restarted while it waits to start a dead server again -> one process, which stop ends', async () => {
  const pauseMs = 100
  let [launched, waits] = [0, 0]
  const log = silentLog()
  log.warn = () => void waits++
  const server = new ServerChild({
    number: 1,
    program,
    port: await freePort(),
    env: process.env,
    log,
    pauseMs,
    print: () => void launched++,
    onNotice: () => {},
  })
  closing.push(() => server.stop())
  await server.start()
  process.kill(server.pid as number, 'SIGKILL')
  await expect.poll(() => waits).toBe(1)
  await server.stop()
  await server.start()
  const { pid } = server
  await wait(5 * pauseMs)
  expect([server.pid, waits]).toEqual([pid, 1])
  expect(launched).toBe(2)
})

test('a server that could not start -> tried again until it serves', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const log = silentLog()
  const server = new ServerChild({
    number: 1,
    program,
    port,
    env: process.env,
    log,
    pauseMs: 10,
    print: () => {},
    onNotice: () => {},
  })
  closing.push(() => server.stop())
  await expect(server.start({ orLater: true })).rejects.toThrow('ended while it started')
  await new Promise((resolve) => other.close(resolve))
  const health = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ status }) => status,
      () => null,
    )
  await expect.poll(health, { timeout: 10_000 }).toBe(200)
})

test('a server freezes -> killed, and started again', async () => {
  const silentMs = 500
  const server = new ServerChild({
    number: 1,
    program,
    port: await freePort(),
    env: process.env,
    log: silentLog(),
    pauseMs: 10,
    silentMs,
    print: () => {},
    onNotice: () => {},
  })
  closing.push(() => server.stop())
  await server.start()
  const { pid } = server
  await wait(2 * silentMs)
  expect(server.pid).toBe(pid)
  process.kill(pid as number, 'SIGSTOP')
  await expect.poll(() => server.pid, { timeout: 15_000 }).not.toBe(pid)
})
