import type { BookingView } from '@hansom/contract/bookings'
import texts from '@hansom/domain/languages/packs/en/trip.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { StatusTag } from '../list/status-tag.tsx'
import { CommandButtons } from './command-buttons.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const unpaid = {
  id: 'b',
  booking_id: 'KUN283',
  viewer: 'admin',
  status: 'PENDING',
  commands: ['write_off'],
  customer_name: 'Quique',
  trip_cost: 1_400_000,
  discount_amount: 20_000,
  written_off_amount: 0,
  usedWalletMoney: 0,
  cardPaymentAmount: 0,
  cashPaymentAmount: 0,
  customer_paid: 0,
  collect: null,
} as unknown as BookingView

it('write off -> asks with the amount, and sends only after the confirmation', () => {
  startEnglish(Object.fromEntries(Object.entries(texts).map(([key, text]) => [`trip.${key}`, text])))
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  const fetched = vi.fn((..._args: unknown[]) => new Promise(() => {}))
  vi.stubGlobal('fetch', fetched)
  render(
    <QueryClientProvider client={queryClient}>
      <CommandButtons view={unpaid} />
    </QueryClientProvider>,
  )
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'No way to reach them' } })
  fireEvent.submit(screen.getByRole('textbox').closest('form') as HTMLFormElement)
  expect(screen.getByRole('dialog', { name: /Write off .*\$138/ })).toBeTruthy()
  expect(fetched).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: /Write off .*\$138/ }))
  expect(screen.queryByRole('dialog')).toBeNull()
  return vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce())
})

it.each([
  ['admin', 0, 'history.status_written_off'],
  ['admin', 1_380_000, 'history.status_PAID'],
  // A driver does not see what the rider paid.
  ['driver', 0, 'history.status_PAID'],
] as const)('status: %s, %s paid -> %s', (viewer, customer_paid, text) => {
  startEnglish({})
  render(<StatusTag booking={{ ...unpaid, status: 'PAID', viewer, customer_paid }} />)
  expect(screen.getByText(text)).toBeTruthy()
})

describe('end a delivery for the courier', () => {
  const stop = (n: number, person: string, more = {}) => ({
    n,
    kind: 'drop',
    person,
    place: { lat: 0, lng: 0, add: `Street ${n}` },
    outcome: null,
    ...more,
  })
  const driving = {
    ...unpaid,
    status: 'STARTED',
    commands: ['reach'],
    delivery: {
      stops: [
        stop(0, 'Quique', { kind: 'pickup', outcome: 'collected' }),
        stop(1, 'Ada', { outcome: 'delivered' }),
        stop(2, 'Ben'),
        stop(3, 'Quique', { kind: 'return' }),
      ],
    },
  } as unknown as BookingView
  const show = (view = driving) =>
    render(
      <QueryClientProvider client={queryClient}>
        <CommandButtons view={view} />
      </QueryClientProvider>,
    )
  const openDialog = () => fireEvent.click(screen.getByRole('button', { name: 'trip.admin_command_reach' }))

  it('open stops -> named with their consequences; refused -> error and reason stay', async () => {
    startEnglish({ 'delivery.stop': 'Stop {{number}}', 'error.conflict': 'Try again' })
    const fetched = vi.fn(async (..._args: unknown[]) =>
      Response.json({ defined: true, code: 'conflict', status: 409, message: 'conflict' }, { status: 409 }),
    )
    vi.stubGlobal('fetch', fetched)
    show()
    openDialog()
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Stop 2Ben · Street 2',
      'delivery.return_stopStreet 3',
    ])
    expect(dialog.getByText('delivery.end_effect')).toBeTruthy()
    const reason = dialog.getByRole('textbox') as HTMLInputElement
    const form = reason.form as HTMLFormElement
    fireEvent.change(reason, { target: { value: '  ' } })
    fireEvent.submit(form)
    expect(fetched).not.toHaveBeenCalled()
    fireEvent.change(reason, { target: { value: 'Courier disappeared' } })
    fireEvent.submit(form)
    await dialog.findByRole('alert')
    expect(fetched).toHaveBeenCalledOnce()
    expect(reason.value).toBe('Courier disappeared')
    fireEvent.click(dialog.getByRole('button', { name: 'common.cancel' }))
    openDialog()
    expect((screen.getByRole('textbox') as HTMLInputElement).value).toBe('Courier disappeared')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('every stop done -> no list', () => {
    startEnglish({})
    const stops = driving.delivery?.stops.slice(0, 2) ?? []
    show({ ...driving, delivery: { ...driving.delivery, stops } } as BookingView)
    openDialog()
    expect(screen.getByText('delivery.end_all_done')).toBeTruthy()
    expect(screen.queryByText('delivery.end_effect')).toBeNull()
  })
})
