import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { ImportDetails } from './import-details.tsx'

const file = '01890a5d-ac96-774b-bcce-b302099a8057'
const rider = '01890a5d-ac96-774b-bcce-b302099a8058'
const row = (n: number, more: object) => ({
  n,
  state: 'booked',
  data: { person: `Person ${n}`, drop: 'Rambla 1', vehicle: '' },
  problems: [],
  plan: null,
  fare: null,
  reason: null,
  booking: null,
  ...more,
})

let asked: string[]
beforeEach(() => {
  asked = []
  queryClient.clear()
  startEnglish({ 'parcels.problem_list': 'One of {{names}}' })
  storeTestSettings({ category: 'delivery' })
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    asked.push(`${new URL(url, 'http://x').pathname}${new URL(url, 'http://x').search} ${String(body ?? '')}`)
    if (url.includes('/car-types')) return Response.json([{ name: 'Bicycle' }, { name: 'Van' }])
    const counts = { booked: 101, bad: 1, queued: 2 }
    const problems = [
      { column: 'vehicle', error: 'not_in_list' },
      { column: 'phone', error: 'deliveryDetailMissing' },
    ]
    return Response.json({
      id: file,
      name: 'a.csv',
      created_at: 1,
      confirmed_at: 2,
      counts,
      due: 0,
      balance: 0,
      items: [row(2, {}), row(3, { state: 'bad', problems })],
      next: null,
    })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function show() {
  const Page = () => <ImportDetails id={file} sender={rider} onBack={() => {}} />
  const router = createRouter({
    routeTree: createRootRoute({ component: Page }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByText('Person 2')
}

it('rows: an error says what the cell may contain; labels in files of 100', async () => {
  await show()
  const error = await screen.findByText(/One of .*Bicycle.*Van/)
  expect(error.textContent).toContain('parcels.column_vehicle')
  expect(screen.getByText(/delivery.missing_phone/)).toBeTruthy()
  const links = screen.getAllByText('parcels.print_labels_part').map((link) => link.getAttribute('href'))
  expect(links).toEqual([1, 2].map((part) => `/api/v1/me/imports/${file}/labels.pdf?part=${part}`))
})

it('admin: shows errors only and stops the queue -> asks for the sender’s file', async () => {
  await show()
  fireEvent.click(screen.getByRole('button', { name: 'parcels.row_bad' }))
  await vi.waitFor(() => expect(asked.some((one) => /state=bad/.test(one) && one.includes(rider))).toBe(true))
  fireEvent.click(await screen.findByRole('button', { name: 'parcels.stop_rows' }))
  await vi.waitFor(() => expect(asked.find((one) => one.includes('/stop'))).toContain(rider))
})
