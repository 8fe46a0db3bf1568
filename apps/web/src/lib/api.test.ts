import { afterEach, expect, it, vi } from 'vitest'
import { api } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

it('page is closing -> request outlives it', async () => {
  const call = vi.fn<typeof fetch>(async () => Response.json({}))
  vi.stubGlobal('fetch', call)
  const id = '01890000-0000-7000-8000-000000000001'
  await api.bookings.accept({ id })
  window.dispatchEvent(new Event('pagehide'))
  await api.bookings.accept({ id })
  window.dispatchEvent(new Event('pageshow'))
  await api.bookings.accept({ id })
  expect(call.mock.calls.map(([, options]) => options?.keepalive)).toEqual([false, true, false])
})
