import type { BookingView } from '@hansom/contract/bookings'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
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

async function showOffice(changes: Partial<BookingView>) {
  startEnglish()
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  const view = {
    viewer: 'admin',
    status: 'COMPLETE',
    driver: 'd1',
    driver_name: 'Ana Bello',
    vehicle_number: 'SBA 1234',
    customer: 'r1',
    customer_name: 'Rita Paz',
    ...changes,
  } as BookingView
  const routeTree = createRootRoute({ component: () => <PartnerCard view={view} /> })
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/'] }) })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByText('Rita Paz')
}

it('back office, also after the trip -> plate, both people by name, links to their records', async () => {
  await showOffice({})
  expect(screen.getByText('SBA 1234')).toBeTruthy()
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'trip.driver_card',
    'trip.rider_card',
  ])
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/drivers?open=d1', '/riders?open=r1'])
})

it('back office during the trip -> numbers and email as links; hidden by a demo -> only said so', async () => {
  const contacts = { driver_contact: '+5981', customer_contact: '+5982', customer_email: 'r@x.test' }
  await showOffice({ status: 'STARTED', ...contacts })
  for (const href of ['tel:+5981', 'tel:+5982', 'mailto:r@x.test']) {
    expect(document.querySelector(`a[href="${href}"]`)).toBeTruthy()
  }
  cleanup()
  const hidden = 'Hidden for Demo'
  await showOffice({ driver_contact: hidden, customer_contact: hidden, customer_email: hidden })
  expect(document.querySelectorAll('a[href^="tel:"], a[href^="mailto:"]')).toHaveLength(0)
  expect(screen.getAllByText(hidden)).toHaveLength(3)
})
