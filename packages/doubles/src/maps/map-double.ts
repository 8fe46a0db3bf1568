import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fault of one answer. `never` answers when the double is closed; `reset` breaks off inside the body. */
export type MapFault = 'never' | 'reset' | 'garbage' | 'huge' | 'rate_limited' | 'server_error' | 'denied'

export interface MapRequest {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  /** The body parsed as JSON; null without one. */
  body: unknown
}

export interface MapResponse {
  status?: number
  body: unknown
}

/** A local map service with documented answers, and faults for tests. */
export interface MapDouble {
  url: string
  /** The requests that arrived, oldest first. */
  requests: MapRequest[]
  /** The next answers fail in this way, in order. */
  fail(...faults: MapFault[]): void
  /** Every answer fails in this way; null: none. */
  broken: MapFault | null
  close(): Promise<void>
}

const hugeBytes = 6_000_000

/** Starts a double on a free port of the loopback address. */
export async function startMapDouble(answer: (request: MapRequest) => MapResponse): Promise<MapDouble> {
  const faults: MapFault[] = []
  const requests: MapRequest[] = []
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString('utf8')
    const request: MapRequest = {
      method: incoming.method ?? '',
      url: new URL(incoming.url ?? '/', 'http://double'),
      headers: incoming.headers,
      body: text === '' ? null : JSON.parse(text),
    }
    requests.push(request)
    const fault = faults.shift() ?? double.broken
    if (fault) return fail(response, fault)
    const { status = 200, body } = answer(request)
    send(response, status, JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: MapDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fail: (...next) => void faults.push(...next),
    broken: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return double
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(body)
}

function fail(response: ServerResponse, fault: MapFault): void {
  switch (fault) {
    case 'never':
      return
    case 'reset':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"routes":[', () => response.destroy())
      return
    case 'garbage':
      return send(response, 200, '<html>It works!</html>')
    case 'huge':
      return send(response, 200, JSON.stringify({ text: 'x'.repeat(hugeBytes) }))
    case 'rate_limited':
      return send(response, 429, '{"message":"Too Many Requests"}')
    case 'server_error':
      return send(response, 503, '{"message":"Service Unavailable"}')
    case 'denied':
      return send(response, 403, '{"message":"Forbidden"}')
  }
}
