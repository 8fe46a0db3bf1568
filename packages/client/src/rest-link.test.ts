import { contract } from '@hansom/contract/contract'
import { createORPCClient } from '@orpc/client'
import { afterEach, expect, it, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { type ApiClient, RestLink } from './rest-link.ts'

let closing = false
const api: ApiClient = createORPCClient(new RestLink(contract, { isClosing: () => closing }))
const id = '01890000-0000-7000-8000-000000000001'

function answer(body: unknown, status = 200) {
  const call = vi.fn<typeof fetch>(async () => new Response(JSON.stringify(body), { status }))
  vi.stubGlobal('fetch', call)
  return call
}
afterEach(() => vi.unstubAllGlobals())

it('GET -> input in the query, without undefined values', async () => {
  const call = answer([])
  await api.places.search({ q: 'Plaza & más', lat: -34.9, limit: undefined })
  expect(call.mock.calls[0]?.[0]).toBe('/api/v1/places?q=Plaza+%26+m%C3%A1s&lat=-34.9')
  expect(call.mock.calls[0]?.[1]).toMatchObject({ method: 'GET' })
  expect(call.mock.calls[0]?.[1]?.body).toBeUndefined()
})

it('named parts -> path, the rest -> body', async () => {
  const call = answer({})
  await api.bookings.cancel({ id, reason: 'late' })
  expect(call.mock.calls[0]?.[0]).toBe(`/api/v1/bookings/${id}/cancel`)
  expect(call.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{"reason":"late"}' })
})

it('nothing left of the input -> no body', async () => {
  const call = answer({})
  await api.bookings.accept({ id })
  expect(call.mock.calls[0]?.[1]?.body).toBeUndefined()
})

it('empty input, no path parameters -> empty body', async () => {
  const call = answer({ ok: true })
  await api.users.deleteMe({})
  expect(call.mock.calls[0]?.[1]?.body).toBe('{}')
})

it('idempotency key -> sent as header', async () => {
  const call = answer({})
  await api.bookings.accept({ id }, { context: { idempotencyKey: 'k1' } })
  expect(call.mock.calls[0]?.[1]?.headers).toMatchObject({ 'idempotency-key': 'k1' })
})

it('page is closing -> request outlives it', async () => {
  const call = answer({})
  await api.bookings.accept({ id })
  closing = true
  await api.bookings.accept({ id })
  closing = false
  await api.bookings.accept({ id })
  expect(call.mock.calls.map(([, options]) => options?.keepalive)).toEqual([false, true, false])
})

it('url and fetch given -> request goes there', async () => {
  const call = vi.fn<typeof fetch>(async () => Response.json([]))
  const link = new RestLink(contract, { url: 'https://rides.example', fetch: call })
  await createORPCClient<ApiClient>(link).carTypes.list()
  expect(call.mock.calls[0]?.[0]).toBe('https://rides.example/api/v1/car-types')
})

it('no session -> null', async () => {
  answer(null)
  expect(await api.users.me()).toBeNull()
})

it('refusal -> error with key, fields, data and request id', async () => {
  answer(
    {
      error: 'fare_changed',
      fields: [{ field: 'estimate', error: 'out_of_range' }],
      data: { trip_cost: 1 },
      requestId: 'r',
    },
    409,
  )
  const error = await api.bookings.accept({ id }).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ key: 'fare_changed', status: 409, data: { trip_cost: 1 }, requestId: 'r' })
  expect((error as ApiError).fields).toEqual([{ field: 'estimate', error: 'out_of_range' }])
})

it('unreadable response, or none -> ApiError', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }))
  await expect(api.carTypes.list()).rejects.toMatchObject({ key: 'Fetch Call Error', status: 502 })
  vi.stubGlobal('fetch', async () => new Response('<html>', { status: 200 }))
  await expect(api.carTypes.list()).rejects.toMatchObject({ key: 'server_error' })
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  await expect(api.carTypes.list()).rejects.toMatchObject({ key: 'Fetch Call Error', status: 0 })
})

it('abort -> stays an abort', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new DOMException('gone', 'AbortError')
  })
  await expect(api.carTypes.list()).rejects.toMatchObject({ name: 'AbortError' })
})

it('no response in time -> Fetch Call Error; caller aborts -> stays an abort', async () => {
  const times: number[] = []
  const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    times.push(ms)
    const controller = new AbortController()
    if (times.length === 1) controller.abort(new DOMException('too late', 'TimeoutError'))
    return controller.signal
  })
  const call = vi.fn<typeof fetch>(
    (_url, options) =>
      new Promise((_resolve, reject) => {
        const { signal } = options as { signal: AbortSignal }
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  vi.stubGlobal('fetch', call)
  await expect(api.bookings.get({ id })).rejects.toMatchObject({ key: 'Fetch Call Error', status: 0 })
  expect(times).toEqual([30_000])
  const left = new AbortController()
  const answer = api.bookings.get({ id }, { signal: left.signal })
  left.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  patience.mockRestore()
})
