import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openProxy, type Proxy } from './proxy.ts'

/** Sends back what it gets, in capitals. */
const echo = createServer((socket) => {
  socket.on('error', () => {})
  socket.on('data', (data) => {
    arrived += String(data)
    socket.write(String(data).toUpperCase())
  })
})
let arrived = ''
let proxy: Proxy
let client: Socket
let got = ''

beforeEach(async () => {
  if (!echo.listening) await once(echo.listen(0, '127.0.0.1'), 'listening')
  proxy = await openProxy({ port: (echo.address() as AddressInfo).port, host: '127.0.0.1' })
  client = open()
  await once(client, 'connect')
})
afterEach(() => {
  client.destroy()
  proxy.close()
})

function open(): Socket {
  got = ''
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.on('data', (data) => {
    got += String(data)
  })
  return socket
}

const arrives = (text: string) => expect.poll(() => got, { timeout: 5_000 }).toBe(text)

it('no fault -> both directions pass', async () => {
  client.write('hello')
  await arrives('HELLO')
})

it('cut -> the connection breaks and a new one is refused, until restored', async () => {
  proxy.cut()
  await once(client, 'close')
  const [error] = await once(connect(proxy.port, '127.0.0.1'), 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  await proxy.restore()
  client = open()
  client.write('again')
  await arrives('AGAIN')
})

it('held -> the connection stays open and nothing passes; released -> all of it does, in order', async () => {
  proxy.hold()
  client.write('one ')
  await wait(100)
  client.write('two')
  await wait(100)
  expect([got, client.destroyed]).toEqual(['', false])
  proxy.release()
  await arrives('ONE TWO')
})

it('delay -> later, and complete', async () => {
  proxy.delay(150)
  const from = performance.now()
  client.write('late')
  await arrives('LATE')
  expect(performance.now() - from).toBeGreaterThan(290)
})

it('slow -> what the service sends comes at the set rate', async () => {
  proxy.slow(1_000)
  const from = performance.now()
  client.write('x'.repeat(300))
  await arrives('X'.repeat(300))
  expect(performance.now() - from).toBeGreaterThan(290)
})

it('cut during a text -> the service got just the given bytes of it', async () => {
  arrived = ''
  const cut = proxy.cutDuring('POST', 6)
  client.write('xxPOST /trip')
  await cut
  await expect.poll(() => arrived, { timeout: 5_000 }).toBe('xxPOST /')
})
