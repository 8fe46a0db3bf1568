import type { BookingView } from '@hansom/contract/bookings'
import type { CarType } from '@hansom/contract/car-types'
import { unit } from '@hansom/domain/money/amount'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { loadModal } from '../../../ui/modal.tsx'
import DeliveryStops from './delivery-stops.tsx'
import { draftOf } from './search-again.tsx'

type Delivery = NonNullable<BookingView['delivery']>
type Stop = Delivery['stops'][number]

/** An open dialog asks before the page is left. */
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })

beforeAll(loadModal)
beforeEach(() => {
  startEnglish({
    'delivery.stop': 'Stop {{number}}',
    'delivery.return_due': 'Return due {{amount}}',
    'delivery.return_price': 'Return price {{amount}}',
    'delivery.received_by': 'Received by {{name}}',
    'delivery.photo': 'Photo {{stop}}',
    'error.recipient_phone': 'No phone number',
  })
  storeTestSettings({ category: 'delivery' })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const stop = (n: number, more: Partial<Stop>): Stop =>
  ({
    n,
    kind: 'drop',
    place: { lat: n, lng: 1, add: `Place ${n}` },
    person: `Person ${n}`,
    phone: `099 00${n}`,
    share: 40 * unit,
    collect: null,
    planned_at: 0,
    outcome: null,
    window_from: null,
    window_to: null,
    done_at: null,
    code: null,
    ...more,
  }) as Stop
const pickup = stop(0, { kind: 'pickup', share: 0, outcome: 'collected', done_at: 0 })

function show(stops: Stop[], more: Partial<BookingView> = {}) {
  const delivery: Delivery = {
    stop_order: 'given',
    cash_at: null,
    return_leg: { distanceKm: 1, durationS: 60, cost: 30 * unit },
    drops: stops.length,
    stops,
  }
  const view = {
    viewer: 'rider',
    status: 'STARTED',
    estimateDistance: 3,
    estimateTime: 600,
    parcelTypeSelected: { description: 'Box', amount: 0 },
    optionSelected: null,
    ...more,
  } as BookingView
  render(
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        <DeliveryStops arrival={null} view={view} delivery={delivery} />
      </RouterContextProvider>
    </QueryClientProvider>,
  )
  return screen.getAllByRole('listitem')
}

it('open stops -> recipient, part of the price, code to copy, and the price of a return', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const [, first] = show([pickup, stop(1, { code: '4321' }), stop(2, {})])
  const one = within(first as HTMLElement)
  expect(one.getByText('Person 1')).toBeTruthy()
  expect(one.getByText('$40')).toBeTruthy()
  fireEvent.click(one.getByRole('button', { name: 'delivery.copy_code' }))
  await vi.waitFor(() => expect(writeText).toHaveBeenCalledWith('4321'))
  expect(screen.getByText(/^Return price .*\$30/)).toBeTruthy()
  expect(screen.getByText('Box')).toBeTruthy()
})

it('delivered and failed stops -> outcome, who received it, reason, and the return that is due', () => {
  const [, first, second, back] = show([
    pickup,
    stop(1, { outcome: 'delivered', done_at: 0, received_by: 'Ann', photo: '/photo' }),
    stop(2, { outcome: 'failed', failure: 'no_one_there', done_at: 0 }),
    stop(3, { kind: 'return', share: 30 * unit }),
  ])
  expect(first?.textContent).toContain('delivery.outcome_delivered')
  expect(first?.textContent).toMatch(/Received by .*Ann/)
  expect(second?.textContent).toContain('delivery.outcome_failed')
  expect(second?.textContent).toContain('no_one_there')
  expect(back?.textContent).toContain('$30')
  expect(screen.getByText(/^Return due .*\$30/)).toBeTruthy()
  expect(screen.queryByText(/^Return price/)).toBeNull()
})

it('photo -> opens large; a removed one is not shown', async () => {
  show([pickup, stop(1, { outcome: 'delivered', photo: '/photo' })])
  fireEvent.click(screen.getByRole('button', { name: 'Photo map.drop' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByRole('img').getAttribute('src')).toBe('/photo')
  cleanup()
  show([pickup, stop(1, { outcome: 'delivered', photo: '/gone' })])
  const thumbnail = screen.getByRole('button', { name: 'Photo map.drop' }).querySelector('img')
  fireEvent.error(thumbnail as HTMLElement)
  expect(screen.queryByRole('button', { name: 'Photo map.drop' })).toBeNull()
})

it('asked driver -> sees no codes and no prices', () => {
  show([stop(0, { kind: 'pickup', share: 0 }), stop(1, { share: 0, person: null, phone: null })], {
    viewer: 'requested',
    status: 'NEW',
  })
  expect(screen.queryByText(/Return price/)).toBeNull()
  expect(screen.queryByText(/\$/)).toBeNull()
})

it('booked again -> the form has the recipients in visiting order, windows as times of day, and the parcel', () => {
  const place = { lat: 0, lng: 0, add: 'Shop' }
  const at = (clock: string) => Date.parse(`2026-11-26T${clock}:00-03:00`)
  const booking = {
    pickup: place,
    drop: { ...place, add: 'Place 2' },
    car_type_id: 'c',
    pickUpInstructions: 'Back door',
    parcelTypeSelected: { description: 'Box', amount: 0 },
    optionSelected: { description: 'Gone', amount: 0 },
    delivery: {
      stop_order: 'best',
      stops: [
        pickup,
        stop(1, { email: 'one@x.test', window_from: at('10:00'), window_to: at('12:30') }),
        stop(2, { window_from: at('12:30') - 24 * 3_600_000, window_to: at('12:30') }),
        stop(3, { kind: 'return' }),
      ],
    } as Delivery,
  }
  const carTypes = [
    { id: 'c', parcelTypes: [{ description: 'Letter' }, { description: 'Box' }], options: [] },
  ]
  const draft = draftOf(booking, carTypes as unknown as CarType[], 'America/Montevideo')
  expect(draft.drop?.add).toBe('Place 1')
  expect(draft.parcel).toMatchObject({
    pickUpInstructions: 'Back door',
    order: 'best',
    parcelTypeIndex: 1,
    optionIndex: 0,
    drops: [
      { point: null, deliveryPerson: 'Person 1', deliveryEmail: 'one@x.test', from: '10:00', to: '12:30' },
      {
        point: { add: 'Place 2' },
        deliveryPerson: 'Person 2',
        deliveryPersonPhone: '099 002',
        from: '',
        to: '12:30',
      },
    ],
  })
  expect(draftOf({ ...booking, delivery: null }, [], 'UTC')).not.toHaveProperty('parcel')
})

it('finished delivery -> the sender saves its recipients once, without the pickup', async () => {
  const sent: { person: string }[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    sent.push(await new Request(input, init).json())
    return Response.json({}, { status: 201 })
  })
  show([pickup, stop(1, { outcome: 'delivered' }), stop(2, { outcome: 'failed' })], { status: 'COMPLETE' })
  expect(screen.queryByText('delivery.print_labels')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'delivery.save_recipients' }))
  expect(await screen.findByText('delivery.recipients_saved')).toBeTruthy()
  expect(sent.map(({ person }) => person)).toEqual(['Person 1', 'Person 2'])
  expect(screen.queryByRole('button', { name: 'delivery.save_recipients' })).toBeNull()
})

it('open delivery -> labels for the sender, not for the courier', () => {
  show([pickup, stop(1, {})], { id: 'x' })
  expect(screen.getByText('delivery.print_labels').getAttribute('href')).toBe('/api/v1/bookings/x/labels.pdf')
  cleanup()
  show([pickup, stop(1, {})], { viewer: 'driver' })
  expect(screen.queryByText('delivery.print_labels')).toBeNull()
})

it('recipient with a wrong phone number -> problem at the field, what was typed stays, nothing is sent', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  show([pickup, stop(1, { email: null, instructions: null })])
  fireEvent.click(screen.getByRole('button', { name: 'delivery.correct' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByRole('textbox', { name: 'delivery.person' }), {
    target: { value: 'Eve Sosa' },
  })
  const phone = dialog.getByRole<HTMLInputElement>('textbox', { name: 'delivery.phone' })
  fireEvent.change(phone, { target: { value: '12' } })
  fireEvent.click(dialog.getByRole('button', { name: 'trip.edit_confirm' }))
  await vi.waitFor(() => expect(phone.getAttribute('aria-invalid')).toBe('true'))
  expect(dialog.getByText('No phone number')).toBeTruthy()
  expect(phone.value).toBe('12')
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'delivery.person' }).value).toBe('Eve Sosa')
  expect(fetched.mock.calls.filter(([, init]) => init?.method === 'PUT')).toEqual([])
})

it('name corrected, instructions untouched -> sent without instructions, which the recipient may have changed', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({}))
  show([pickup, stop(1, { email: null, instructions: 'Ring twice' })])
  fireEvent.click(screen.getByRole('button', { name: 'delivery.correct' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByRole('textbox', { name: 'delivery.person' }), {
    target: { value: 'Eve Sosa' },
  })
  fireEvent.click(dialog.getByRole('button', { name: 'trip.edit_confirm' }))
  const put = () => fetched.mock.calls.find(([, init]) => init?.method === 'PUT')
  await vi.waitFor(() => expect(put()).toBeDefined())
  const sent = JSON.parse(String(put()?.[1]?.body))
  expect(sent).toMatchObject({ person: 'Eve Sosa' })
  expect(sent).not.toHaveProperty('instructions')
})
