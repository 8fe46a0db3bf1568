import type { Me } from '@hansom/contract/users'
import { afterEach, expect, it, vi } from 'vitest'
import { api, orpc } from './api.ts'
import { queryClient } from './query-client.ts'

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

it.each([
  ['a', 'b', false],
  ['a', null, false],
  ['a', 'a', true],
  [null, 'a', true],
])('user %s, then %s before the answer -> taken: %s', async (before, now, isTaken) => {
  const be = (uid: string | null) =>
    queryClient.setQueryData(orpc.users.me.queryKey(), uid === null ? null : ({ uid, version: 1 } as Me))
  let answer: (response: Response) => void = () => {}
  vi.stubGlobal('fetch', () => new Promise((resolve) => (answer = resolve)))
  be(before)
  const call = api.bookings.accept({ id: '01890000-0000-7000-8000-000000000001' })
  be(now)
  answer(Response.json({}))
  if (isTaken) await expect(call).resolves.toEqual({})
  else await expect(call).rejects.toMatchObject({ key: 'Fetch Call Error', status: 0 })
})
