import type { BookingView } from '@hansom/contract/bookings'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { PartnerCard } from './partner-card.tsx'

afterEach(cleanup)

it('photo: no longer available -> initials', () => {
  startEnglish()
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  const view = { viewer: 'rider', status: 'COMPLETE', driver_name: 'Ana Bello', customer_name: null }
  render(
    <QueryClientProvider client={queryClient}>
      <PartnerCard view={{ ...view, driver_image: '/api/v1/users/a/photo?v=1' } as BookingView} />
    </QueryClientProvider>,
  )
  const picture = document.querySelector('img')
  expect(document.body.textContent).not.toContain('AB')
  fireEvent.error(picture as HTMLImageElement)
  expect(document.querySelector('img')).toBeNull()
  expect(document.body.textContent).toContain('AB')
})
