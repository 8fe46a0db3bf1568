import type { Me } from '@hansom/contract/users'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { storeMe } from '../../lib/session.ts'
import { useHold } from './use-hold.ts'

const id = '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f'
let sent: string[]
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

beforeEach(() => {
  sent = []
  storeMe({ uid: 'a1', usertype: 'admin' } as Me)
  vi.stubGlobal('fetch', async (url: string, { method, keepalive }: RequestInit = {}) => {
    sent.push(
      `${method} ${new URL(url, 'http://x').pathname.split('/').at(-1)}${keepalive ? ' keepalive' : ''}`,
    )
    return Response.json({ booking: id, user: 'a2', name: 'Elena', until: 0 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('hold: page closed while the booking is open -> released, outliving the page', async () => {
  const { result, unmount } = renderHook(() => useHold(id), { wrapper })
  await waitFor(() => expect(result.current?.user).toBe('a2'))
  await act(async () => void fireEvent(window, new Event('pagehide')))
  await waitFor(() => expect(sent).toEqual(['PUT hold', 'DELETE hold keepalive']))
  unmount()
  await waitFor(() => expect(sent).toHaveLength(3))
})
