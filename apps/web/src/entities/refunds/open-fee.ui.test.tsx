import refunds from '@hansom/domain/languages/packs/en/refunds.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { OpenFee } from './open-fee.tsx'

beforeEach(() => {
  const texts = Object.entries(refunds).map(([name, words]) => [`refunds.${name}`, words])
  startEnglish(Object.fromEntries(texts))
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = (amount: number) =>
  render(
    <QueryClientProvider client={queryClient}>
      <OpenFee booking="b1" amount={amount} />
    </QueryClientProvider>,
  )
const words = () => (document.body.textContent ?? '').replace(/[\u2066-\u2069]/g, '')

it('an open fee: needs a reason, and is waived with it', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push([new URL(url, 'http://x').pathname, JSON.parse(String(init.body))])
    return Response.json({ booking: 'b1', amount: 500_000 })
  })
  show(500_000)
  expect(words()).toContain('$50 of the cancellation fee hasn’t been paid yet.')
  fireEvent.click(screen.getByRole('button'))
  expect(words()).toContain('Enter a reason.')
  expect(sent).toEqual([])
  fireEvent.change(screen.getByRole('textbox'), { target: { value: ' The app was down ' } })
  fireEvent.click(screen.getByRole('button'))
  await waitFor(() => expect(words()).toContain('$50 waived.'))
  expect(sent).toEqual([['/api/v1/wallet/dues/b1/waive', { reason: 'The app was down' }]])
})

it('no open fee: nothing is shown', () => {
  show(0)
  expect(words()).toBe('')
})
