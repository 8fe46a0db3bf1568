import type { PublicSettings } from '@hansom/contract/settings'
import type { Me, Obligations, UserView } from '@hansom/contract/users'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import type { Role } from '@hansom/domain/users/roles'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { storeMe } from '../../../lib/session.ts'
import { storeSettings } from '../../../lib/settings.ts'
import { startEnglish } from '../../../lib/test-data.fixture.ts'
import { RemoveUserDialog } from './remove-user-dialog.tsx'

const user = { uid: 'u1', usertype: 'rider', firstName: 'Rita', lastName: 'R', bankName: 'Banco' } as UserView
const nothingOpen: Obligations = { trip: false, unpaid: false, withdrawal: false, payment: false, balance: 0 }
let open: Obligations
let sent: [method: string, path: string, body: unknown][]

beforeEach(() => {
  queryClient.clear()
  sent = []
  open = nothingOpen
  startEnglish()
  storeSettings({ ...defaultSettings, RiderWithDraw: false, version: 1 } as unknown as PublicSettings)
  vi.stubGlobal('fetch', async (asked: string, { method = 'GET', body }: RequestInit = {}) => {
    const path = new URL(asked, 'http://x').pathname
    if (path.endsWith('/obligations')) return Response.json(open)
    sent.push([
      method,
      path,
      body ? JSON.parse(String(body)) : Object.fromEntries(new URL(asked, 'http://x').searchParams),
    ])
    return Response.json(
      { ok: true, amount: 300 * unit, after: 0 },
      { status: method === 'POST' ? 201 : 200 },
    )
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function show(obligations: Partial<Obligations>, role: Role = 'admin') {
  open = { ...nothingOpen, ...obligations }
  storeMe({ uid: 'a1', usertype: role, approved: true } as Me)
  const onRemoved = vi.fn()
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => <RemoveUserDialog user={user} onClose={() => {}} onRemoved={onRemoved} />,
    }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByRole('textbox', { name: 'table.remove_name' })
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  return onRemoved
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const typeName = () =>
  fireEvent.change(screen.getByRole('textbox', { name: 'table.remove_name' }), {
    target: { value: 'rita r' },
  })

it('delete: open matters -> each is named, with a link to what can be shown', async () => {
  await show({ trip: true, unpaid: true, withdrawal: true, payment: true })
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent?.split(' ')[0])
  expect(items).toEqual([
    'users.open_trip',
    'users.open_unpaid',
    'users.open_withdrawal',
    'users.open_payment',
  ])
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/bookings?customer=u1&status=open',
    '/bookings?customer=u1&status=PENDING',
    '/withdraws',
  ])
})

it('delete: balance -> sent as given up only after the choice', async () => {
  const onRemoved = await show({ balance: 300 * unit })
  typeName()
  fireEvent.click(screen.getByRole('switch', { name: 'users.give_up' }))
  press('table.remove')
  await waitFor(() => expect(onRemoved).toHaveBeenCalledOnce())
  expect(sent.map(([method, path]) => [method, path])).toEqual([['DELETE', '/api/v1/users/u1']])
  expect(JSON.stringify(sent[0]?.[2])).toContain(String(300 * unit))
})

it('delete: balance paid out first -> request in their name, the deletion is not sent', async () => {
  const onRemoved = await show({ balance: 300 * unit })
  press('users.payout')
  fireEvent.change(await screen.findByRole('textbox', { name: 'users.bankAccount' }), {
    target: { value: '123-456' },
  })
  open = { ...nothingOpen, withdrawal: true }
  press('users.payout_confirm')
  expect(await screen.findByText(/users\.open_withdrawal/)).toBeTruthy()
  const wish = { uid: 'u1', amount: 300 * unit, bankName: 'Banco', bankCode: '', bankAccount: '123-456' }
  expect(sent).toEqual([['POST', '/api/v1/withdraws', wish]])
  expect(onRemoved).not.toHaveBeenCalled()
  expect(screen.queryByText('table.remove_differs')).toBeNull()
})

it('delete: fleet admin -> may neither pay out nor give up', async () => {
  await show({ balance: null }, 'fleetadmin')
  expect(screen.queryByRole('button', { name: 'users.payout' })).toBeNull()
  expect(screen.queryByRole('switch')).toBeNull()
})

it('delete: debt -> cleared with a credit and a reason', async () => {
  await show({ balance: -50 * unit })
  press('users.clear_debt')
  expect(sent).toEqual([])
  fireEvent.change(screen.getByRole('textbox', { name: 'users.reject_reason' }), {
    target: { value: 'Old fee' },
  })
  open = nothingOpen
  press('users.clear_debt')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'users.clear_debt' })).toBeNull())
  expect(sent).toEqual([
    ['POST', '/api/v1/wallet/credits', { uid: 'u1', amount: 50 * unit, reason: 'Old fee' }],
  ])
})
