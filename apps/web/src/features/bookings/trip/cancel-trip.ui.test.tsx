import type { BookingView } from '@hansom/contract/bookings'
import texts from '@hansom/domain/languages/packs/en/trip.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { CancelDialog } from './cancel-trip.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it.each(['NEW', 'PAYMENT_PENDING'] as const)('cancel from a row: %s -> names the booking code', (status) => {
  const keyValuePairs = { 'trip.cancel_title': texts.cancel_title }
  startEnglish(keyValuePairs)
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  render(
    <QueryClientProvider client={queryClient}>
      <CancelDialog
        view={{ id: 'b', booking_id: 'K7X2QP', viewer: 'admin', status } as BookingView}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  )
  expect(screen.getByRole('dialog', { name: /K7X2QP/ })).toBeTruthy()
})
