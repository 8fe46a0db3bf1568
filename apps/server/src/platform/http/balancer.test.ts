import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Balancer, createBalancer } from './balancer.ts'
import { forwardedFor } from './forwarded-headers.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Backend {
  port: number
  seen: IncomingMessage[]
  server: Server
  kill(): void
}

/** A server that answers with its name; `answer` replaces that. */
async function backend(name: string, answer?: RequestListener, health = () => 200): Promise<Backend> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    if (request.url === '/healthz') return void response.writeHead(health()).end()
    seen.push(request)
    if (answer) return answer(request, response)
    request.resume().once('end', () => response.setHeader('set-cookie', ['a=1', 'b=2']).end(name))
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (ws) => {
    ws.send(name)
    ws.on('message', (data) => ws.send(`${name} ${String(data)}`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const kill = () => {
    for (const ws of sockets.clients) ws.terminate()
    server.close()
    server.closeAllConnections()
  }
  closing.push(kill)
  return { port: portOf(server), seen, server, kill }
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

const balance = (...ports: number[]) => balanceWith(200, ...ports)
async function balanceWith(
  silentMs: number,
  ...ports: number[]
): Promise<{ url: string; balancer: Balancer; port: number }> {
  const balancer = createBalancer({ ports, checkMs: 20, silentMs })
  balancer.server.listen(0, '127.0.0.1')
  await once(balancer.server, 'listening')
  closing.push(() => balancer.close())
  await Promise.all(ports.map((port) => balancer.admit(port)))
  const port = portOf(balancer.server)
  return { url: `http://127.0.0.1:${port}`, balancer, port }
}

const textOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).text()

test('requests on one connection -> each to the next server, with cookies and body as they were sent', async () => {
  const echo: RequestListener = (request, response) => void request.pipe(response)
  const [a, b] = [await backend('a'), await backend('b', echo)]
  const { url } = await balance(a.port, b.port)
  const texts = []
  for (let call = 0; call < 4; call++)
    texts.push(await textOf(url, { method: 'POST', body: 'sent', headers: { host: 'rides.example' } }))
  expect(texts.sort()).toEqual(['a', 'a', 'sent', 'sent'])
  const cookies = [await fetch(url), await fetch(url)].flatMap(({ headers }) => headers.getSetCookie())
  expect(cookies).toEqual(['a=1', 'b=2'])
})

test('client on this machine -> no forwarding header; HTTP/1.0 -> named in via', async () => {
  const a = await backend('a')
  const { url, port } = await balance(a.port)
  await textOf(url)
  expect(a.seen[0]?.headers['x-forwarded-for']).toBeUndefined()
  expect(a.seen[0]?.headers.via).toBeUndefined()
  expect(a.seen[0]?.headers.host).toBe(`127.0.0.1:${port}`)
  const old = connect(port, '127.0.0.1').end('GET / HTTP/1.0\r\nhost: localhost\r\n\r\n')
  await once(old, 'close')
  expect(a.seen[1]?.headers.via).toBe('1.0 hansom')
})

test.each([
  ['203.0.113.9', undefined, '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', '198.51.100.1, 203.0.113.9'],
  ['::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::1', undefined, undefined],
])('client at %s, forwarded for %s -> %s', (address, before, expected) => {
  expect(forwardedFor(address, before)).toBe(expected)
})

test('client behind another proxy -> its header arrives unchanged', async () => {
  const a = await backend('a')
  const { url } = await balance(a.port)
  await textOf(url, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect(a.seen[0]?.headers['x-forwarded-for']).toBe('203.0.113.9')
})

test('a server was killed -> requests with a body go to the other, none is lost', async () => {
  const [a, b] = [await backend('a'), await backend('b')]
  const { url } = await balance(a.port, b.port)
  a.kill()
  const texts = []
  for (let call = 0; call < 4; call++) texts.push(await textOf(url, { method: 'POST', body: 'x' }))
  expect(texts).toEqual(['b', 'b', 'b', 'b'])
})

test('a server dies while it answers -> reading goes to the other, a command gets 503 and is not sent twice', async () => {
  const dying: RequestListener = ({ socket }) => void socket.destroy()
  const [a, b] = [await backend('a', dying), await backend('b')]
  const { url } = await balance(a.port, b.port)
  expect([await textOf(url), await textOf(url)]).toEqual(['b', 'b'])
  const before = b.seen.length
  const answers = []
  for (let call = 0; call < 2; call++) answers.push(await fetch(url, { method: 'POST', body: 'x' }))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 503])
  expect(b.seen.length - before).toBe(1)
  const refused = answers.find(({ status }) => status === 503)
  expect(refused?.headers.get('retry-after')).toBe('1')
  expect(await refused?.json()).toMatchObject({ error: 'unavailable', data: { retryAfterS: 1 } })
})

test('no server -> 503; a browser gets a page', async () => {
  const a = await backend('a')
  const { url } = await balance(a.port)
  a.kill()
  expect((await fetch(url)).status).toBe(503)
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect(page.headers.get('content-type')).toContain('text/html')
  const ws = new WebSocket(url.replace('http', 'ws'))
  const [error] = await once(ws, 'error')
  expect(String(error)).toContain('503')
})

test('a server reports that it cannot serve -> avoided; if all do, one of them says so itself', async () => {
  let health = 200
  const stopped: RequestListener = (_request, response) => void response.writeHead(503).end('standing by')
  const [a, b] = [await backend('a', stopped, () => 503), await backend('b', undefined, () => health)]
  const { url } = await balance(a.port, b.port)
  expect([await textOf(url), await textOf(url)]).toEqual(['b', 'b'])
  health = 503
  await expect.poll(() => textOf(url)).toBe('standing by')
})

test('sockets -> spread over the servers; those of a killed server close, and new ones go elsewhere', async () => {
  const [a, b] = [await backend('a'), await backend('b')]
  const { url } = await balance(a.port, b.port)
  const open = async () => {
    const ws = new WebSocket(url.replace('http', 'ws'))
    const [name] = await once(ws, 'message')
    return { ws, name: String(name) }
  }
  const both = [await open(), await open()]
  expect(both.map(({ name }) => name).sort()).toEqual(['a', 'b'])
  const onA = both.find(({ name }) => name === 'a')
  const onB = both.find(({ name }) => name === 'b')
  onB?.ws.send('hello')
  expect(String((await once(onB?.ws as WebSocket, 'message'))[0])).toBe('b hello')
  const ended = once(onA?.ws as WebSocket, 'close')
  a.kill()
  await ended
  expect((await open()).name).toBe('b')
  for (const { ws } of both) ws.terminate()
})

test('a server stops answering its checks -> what waits for it ends', async () => {
  const a = await backend('a', () => {})
  const { url } = await balance(a.port)
  const ws = new WebSocket(url.replace('http', 'ws'))
  await once(ws, 'message')
  const [waiting, ended] = [fetch(url), once(ws, 'close')]
  await expect.poll(() => a.seen.length).toBe(1)
  a.server.removeAllListeners('request')
  expect((await waiting).status).toBe(503)
  await ended
})

test('a server misses one check -> requests that wait for it go on or are refused, a response that began goes on', async () => {
  let isFrozen = false
  const begun: RequestListener = (request, response) => {
    if (request.url !== '/begun') return
    response.write('be')
    setTimeout(() => response.end('gun'), 200)
  }
  const [a, b] = [await backend('a', begun), await backend('b')]
  const { url } = await balanceWith(50, a.port, b.port)
  const ws = [0, 1].map(() => new WebSocket(url.replace('http', 'ws')))
  const names = await Promise.all(ws.map(async (one) => String((await once(one, 'message'))[0])))
  const onA = ws[names.indexOf('a')] as WebSocket
  const [answer] = a.server.listeners('request') as [RequestListener]
  a.server.removeListener('request', answer)
  let missed = 0
  a.server.on('request', (request, response) => {
    if (isFrozen && request.url === '/healthz' && missed++ === 0) return
    answer(request, response)
  })
  const sent = [
    ...['/begun', '/begun', '/', '/'].map((path) => fetch(url + path)),
    ...['x', 'x'].map((body) => fetch(url, { method: 'POST', body })),
  ]
  await expect.poll(() => a.seen.length).toBe(3)
  isFrozen = true
  const answers = await Promise.all(sent)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 503])
  const texts = await Promise.all(answers.slice(0, 4).map((one) => one.text()))
  expect(texts.sort()).toEqual(['b', 'b', 'b', 'begun'])
  onA.send('hello')
  expect(String((await once(onA, 'message'))[0])).toBe('a hello')
  for (const one of ws) one.terminate()
})

test('a server misses two checks -> new requests go to the other, its socket stays; it answers -> gets requests again', async () => {
  const [a, b] = [await backend('a'), await backend('b')]
  const { url } = await balanceWith(60_000, a.port, b.port)
  const sockets = [0, 1].map(() => new WebSocket(url.replace('http', 'ws')))
  const names = await Promise.all(sockets.map(async (ws) => String((await once(ws, 'message'))[0])))
  const onA = sockets[names.indexOf('a')] as WebSocket
  const [answer] = a.server.listeners('request') as [RequestListener]
  const checks: ServerResponse[] = []
  let isBack = false
  a.server.removeListener('request', answer)
  a.server.on('request', (request, response) => {
    if (request.url === '/healthz' && !isBack) checks.push(response)
    else answer(request, response)
  })
  for (const missed of [1, 2]) {
    await expect.poll(() => checks.length).toBe(missed)
    checks.at(-1)?.destroy()
    // The next check shows that this one was judged.
    await expect.poll(() => checks.length).toBe(missed + 1)
    expect([await textOf(url), await textOf(url)]).toEqual(['b', 'b'])
  }
  isBack = true
  checks.at(-1)?.end()
  await expect.poll(async () => [await textOf(url), await textOf(url)].sort()).toEqual(['a', 'b'])
  onA.send('hello')
  expect(String((await once(onA, 'message'))[0])).toBe('a hello')
  for (const ws of sockets) ws.terminate()
})

test('drained -> running requests are answered, new ones go elsewhere until it is admitted', async () => {
  let finish = () => {}
  const slow: RequestListener = (_request, response) => {
    finish = () => response.end('slow')
  }
  const [a, b] = [await backend('a', slow), await backend('b')]
  const { url, balancer } = await balance(a.port, b.port)
  const texts = [textOf(url), textOf(url)]
  await expect.poll(() => a.seen.length).toBe(1)
  let isDrained = false
  const drained = balancer.drain(a.port, 60_000).then(() => {
    isDrained = true
  })
  expect([await textOf(url), await textOf(url)]).toEqual(['b', 'b'])
  expect(isDrained).toBe(false)
  finish()
  await drained
  expect((await Promise.all(texts)).sort()).toEqual(['b', 'slow'])
  await balancer.admit(a.port)
  const again = [textOf(url), textOf(url)]
  await expect.poll(() => a.seen.length).toBe(2)
  finish()
  expect((await Promise.all(again)).sort()).toEqual(['b', 'slow'])
})
