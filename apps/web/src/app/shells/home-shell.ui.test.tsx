import type { Me } from '@hansom/contract/users'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { storeMe } from '../../lib/session.ts'
import { HomeShell } from './home-shell.tsx'

vi.mock('./public-shell.tsx', () => ({ PublicShell: () => <p>site</p> }))
vi.mock('./app-shell.tsx', () => ({ AppShell: () => <p>app</p> }))
afterEach(cleanup)

it('front page: visitor -> public shell, signed in -> app shell', async () => {
  storeMe(null)
  render(
    <QueryClientProvider client={queryClient}>
      <HomeShell />
    </QueryClientProvider>,
  )
  expect(document.body.textContent).toBe('site')
  act(() => storeMe({ uid: 'r', usertype: 'rider', version: 1 } as Me))
  await screen.findByText('app')
  act(() => storeMe(null))
  await screen.findByText('site')
  expect(document.body.textContent).toBe('site')
})
