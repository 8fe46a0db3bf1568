import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { orpc } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish } from '../../../lib/test-data.fixture.ts'
import { AddressesSection } from './addresses-section.tsx'

const street = (number: number) => ({
  id: String(number),
  label: null as string | null,
  description: `Ejido ${number}`,
  lat: 0,
  lng: 0,
  count: 1,
})
let sent: unknown[][] = []
const work = { ...street(1), label: 'Work' }

beforeEach(() => {
  sent = []
  queryClient.clear()
  startEnglish()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function section(places: ReturnType<typeof street>[]) {
  vi.stubGlobal('fetch', (url: string, { method, body }: RequestInit = {}) => {
    sent.push([method ?? 'GET', new URL(url, 'http://x').pathname, body])
    return Promise.resolve(new Response(JSON.stringify(places)))
  })
  queryClient.setQueryData(orpc.users.savedAddresses.queryKey(), places)
  render(
    <QueryClientProvider client={queryClient}>
      <AddressesSection />
    </QueryClientProvider>,
  )
  return () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
}

it('many saved places -> first five, the rest on request with a search', () => {
  const listed = section([work, ...[2, 3, 4, 5, 6, 7].map(street)])
  expect(listed()).toEqual(['WorkEjido 1', 'Ejido 2', 'Ejido 3', 'Ejido 4', 'Ejido 5'])
  fireEvent.click(screen.getByText('profile.all_places'))
  expect(listed()).toHaveLength(7)
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'ejido 7' } })
  expect(listed()).toEqual(['Ejido 7'])
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'wo' } })
  expect(listed()).toEqual(['WorkEjido 1'])
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nowhere' } })
  expect(screen.getByText('profile.no_such_place')).toBeTruthy()
})

it('saved place renamed -> name changes, address stays', async () => {
  section([street(1)])
  expect(screen.queryByText('profile.all_places')).toBeNull()
  fireEvent.click(screen.getByLabelText('profile.rename'))
  fireEvent.change(screen.getByRole('textbox', { hidden: true }), { target: { value: ' Work ' } })
  fireEvent.submit(screen.getByRole('textbox', { hidden: true }))
  await waitFor(() =>
    expect(sent).toContainEqual(['PATCH', '/api/v1/me/addresses/1', JSON.stringify({ label: 'Work' })]),
  )
})
