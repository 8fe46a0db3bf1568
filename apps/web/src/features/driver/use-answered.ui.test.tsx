import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { storeBooking } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useAnswered } from './driver-console.tsx'
import { tripOf } from './trip.fixture.ts'

afterEach(cleanup)

it('trip: response before the live list -> response shown, then the newer list', async () => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  )
  const listed = tripOf({ id: 'a', version: 1, status: 'ACCEPTED' })
  const hook = renderHook(({ view }) => useAnswered(view), { initialProps: { view: listed }, wrapper })
  expect(hook.result.current?.status).toBe('ACCEPTED')
  act(() => storeBooking(tripOf({ id: 'a', version: 2, status: 'ARRIVED' })))
  await waitFor(() => expect(hook.result.current?.status).toBe('ARRIVED'))
  hook.rerender({ view: tripOf({ id: 'a', version: 3, status: 'STARTED' }) })
  expect(hook.result.current?.status).toBe('STARTED')
})
