import type { Receipt } from '@hansom/contract/receipts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { orpc } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'
import { storeMe } from '../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { ReceiptScreen } from './receipt-screen.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: React.ReactNode }) => <a href="/trip">{children}</a>,
  useParams: () => ({ id: 'b' }),
}))

const receipt: Receipt = {
  booking: 'b',
  serial: '2026-000001',
  number: 'ABC',
  issued_at: 0,
  status: 'COMPLETE',
  currency: 'USD',
  decimal: 0,
  operator: { name: 'Hansom', address: '', tax_number: '', website: '', email: '' },
  rider: { name: 'Rider', email: '' },
  driver: null,
  carType: 'Economy',
  from: 'Here',
  to: 'There',
  parcel: [],
  stops: [],
  begun_at: null,
  ended_at: null,
  distance: null,
  seconds: null,
  lines: [],
  tax: [],
  paid: [],
  refunds: [],
  outstanding: 0,
  net: 0,
  net_tax: [],
}
let mailed: () => Response
let shown: Receipt

beforeEach(() => {
  shown = receipt
  storeTestSettings({})
  startEnglish()
  queryClient.clear()
  storeMe({ uid: 'r', usertype: 'rider', version: 1 } as Parameters<typeof storeMe>[0])
  vi.stubGlobal('fetch', async (request: Request | string) =>
    String(typeof request === 'string' ? request : request.url).endsWith('/mail')
      ? mailed()
      : Response.json(shown),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <ReceiptScreen />
    </QueryClientProvider>,
  )

async function send(): Promise<void> {
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'receipts.send' }))
}
const liveRegions = () => document.querySelectorAll('[role="status"], [role="alert"], output')

it('receipt: sent -> one live region says so', async () => {
  mailed = () => Response.json({ to: 'rider@example.test' }, { status: 202 })
  await send()
  expect((await screen.findByRole('status')).textContent).toBe('receipts.sent')
  expect(liveRegions()).toHaveLength(1)
})

it('receipt: not sent -> one live region has the error', async () => {
  mailed = () => Response.json({ error: 'not_found', requestId: 'r' }, { status: 404 })
  await send()
  expect((await screen.findByRole('alert')).textContent).toBe('error.server_error')
  expect(liveRegions()).toHaveLength(1)
})

it("receipt of a delivery: parcel type with a name in the page's language -> shows that name", async () => {
  shown = { ...receipt, parcel: ['Letter', 'Piano'] }
  const letter = { description: 'Letter', amount: 0, translations: { en: { description: 'Documents' } } }
  queryClient.setQueryData(orpc.carTypes.list.queryKey(), [
    { name: 'Bicycle', translations: {}, parcelTypes: [letter], options: [] },
  ] as never)
  open()
  expect(await screen.findByText('Documents · Piano')).toBeDefined()
})
