import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { beginSpan, startTracing, stopTracing } from './platform/tracing/tracing.ts'
import { createTraffic } from './traffic.fixture.ts'

interface Received {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
}

/** A collector on loopback; what it received, as text and as spans. */
const bodies: string[] = []
const collector = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => void chunks.push(chunk))
  request.on('end', () => {
    bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
const spans = (): Received[] =>
  bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Received[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  )

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void collector.close())

test('tracing: not started -> no span', () => {
  expect(beginSpan('SERVER', { requestId: 'a' })).toBeNull()
})

test('tracing: booking -> call, statements, event and job in one trace, without personal data', async () => {
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url)
  await startTracing('hansom')
  const town = await createTraffic()
  const { bearer } = await town.add('rider', 'zebedee@trace.test', { firstName: 'Zebedee' })
  await town.addDriver('wheel@trace.test')
  await town.book(bearer, { note: 'behind the lighthouse' })
  await town.delivered()
  await town.app.close()
  await stopTracing()

  const booked = spans().find(({ name }) => name === 'POST /api/v1/bookings')
  expect(booked?.parentSpanId).toBeFalsy()
  const trace = spans().filter(({ traceId }) => traceId === booked?.traceId)
  const names = trace.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['booking-create-facts', 'event booking.changed', 'job booking.dispatch']),
  )
  const ids = new Set(trace.map(({ spanId }) => spanId))
  expect(trace.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([])
  for (const secret of ['Zebedee', 'zebedee@trace.test', 'lighthouse', bearer.slice('Bearer '.length)])
    expect(bodies.join()).not.toContain(secret)
})
