import type { BookingView } from '@hansom/contract/bookings'
import type { Me } from '@hansom/contract/users'
import { unit } from '@hansom/domain/money/amount'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useReducer } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { emptyDraft } from '../../../entities/bookings/booking-draft.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { storeMe } from '../../../lib/session.ts'
import { fareOffer, startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import ConfirmDelivery from './confirm-delivery.tsx'
import { changeDraft } from './draft.ts'
import { emptyParcel } from './parcel-draft.ts'

const carType = {
  ...fareOffer.carType,
  parcelTypes: [
    { description: 'Letter', amount: 0 },
    { description: 'Box', amount: 20 * unit },
  ],
  options: [
    { description: 'None', amount: 0 },
    { description: 'Fragile', amount: 5 * unit },
  ],
}
const trip = {
  pickup: { lat: 1, lng: 1, add: 'Shop' },
  drop: { lat: 2, lng: 2, add: 'Ada’s house' },
  offer: { ...fareOffer, carType },
  tripdate: null,
  office: null,
}
const fare = { base: 100 * unit, distance: 0, time: 0, extras: 0, minimum_top_up: 0, convenience_fees: 0 }
const quote = {
  fare,
  discount_amount: 0,
  payableAmount: 100 * unit,
  estimateFare: 100 * unit,
  delivery: {
    stops: [{ position: 0, planned_at: 0, lateS: 0, share: 100 * unit }],
    return_leg: { distanceKm: 1, durationS: 60, cost: 30 * unit },
  },
}

const saved = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  person: 'Ben',
  phone: '099 333 444',
  email: 'ben@example.com',
  instructions: 'Ring twice',
  place: { lat: 3, lng: 3, add: 'Ben’s shop' },
}

let estimates: { drop?: object; delivery?: object }[]
let sent: { instructionData?: object }[]
let refusal: object | null
beforeEach(() => {
  estimates = []
  sent = []
  refusal = null
  queryClient.clear()
  startEnglish({
    'delivery.return_price': 'Return {{amount}}',
    'booking.confirm_for': 'Confirm {{fare}}',
    'bookingTexts.optional': '{{field}}',
  })
  storeTestSettings({ category: 'delivery', cardAvailable: true })
  storeMe({ uid: 'r', usertype: 'rider', version: 1, walletBalance: 0 } as Me)
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    if (url.endsWith('/me'))
      return Response.json({ uid: 'r', usertype: 'rider', version: 1, walletBalance: 0 })
    if (url.includes('/me/recipients')) return Response.json({ items: [saved], next: null })
    if (url.endsWith('/outstanding')) return Response.json({ total: 0 })
    if (url.endsWith('/estimate')) {
      estimates.push(JSON.parse(String(body)))
      return Response.json(quote)
    }
    sent.push(JSON.parse(String(body)))
    if (refusal) return Response.json(refusal, { status: 400 })
    return Response.json({ id: 'b', version: 1, usedWalletMoney: 0 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The dialogs over a form whose draft has chosen parcel type 1 and option 1. */
function Form({ onBooked }: { onBooked: (view: BookingView) => void }) {
  const [draft, change] = useReducer(changeDraft, {
    ...emptyDraft,
    drop: trip.drop,
    parcel: { ...emptyParcel, parcelTypeIndex: 1, optionIndex: 1 },
  })
  return (
    <>
      <button type="button" onClick={() => change({ type: 'car', id: 'van' })}>
        Van
      </button>
      <ConfirmDelivery
        key={draft.carTypeId}
        trip={{ ...trip, drop: draft.drop ?? trip.drop }}
        parcel={draft.parcel}
        onParcel={(parcel, drop) => change({ type: 'set', values: { parcel, ...(drop && { drop }) } })}
        onClose={() => {}}
        onBooked={onBooked}
        onError={() => {}}
      />
    </>
  )
}

async function show() {
  const onBooked = vi.fn()
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <Form onBooked={onBooked} /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByRole('dialog', { name: 'parcelForm.choice_title' })
  return { onBooked }
}
const checked = () =>
  screen.getAllByRole<HTMLInputElement>('radio', { checked: true }).map(({ value }) => value)
/** Continues to the details, and returns the button that books. */
async function toDetails() {
  fireEvent.click(screen.getByRole('button', { name: 'parcelForm.choice_continue' }))
  return screen.findByRole('button', { name: /^Confirm .*\$100/ })
}
const write = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input, textarea' }), { target: { value } })

it('choice: another car type -> parcel type and option are the first ones again, with their amounts', async () => {
  await show()
  expect(checked()).toEqual(['1', '1'])
  const box = screen.getByRole('radio', { name: /Box/ }).closest('label') as HTMLElement
  expect(within(box).getByText('+ $20')).toBeTruthy()
  fireEvent.click(screen.getByText('Van'))
  expect(checked()).toEqual(['0', '0'])
})

it('choice -> part of the estimate, shown above the price', async () => {
  await show()
  fireEvent.click(screen.getByRole('radio', { name: /None/ }))
  await toDetails()
  expect(estimates.at(-1)?.delivery).toMatchObject({ parcelTypeIndex: 1, optionIndex: 0, moreDrops: [] })
  expect(screen.getByText('Box')).toBeTruthy()
  expect(screen.getByText(/^Return .*\$30/)).toBeTruthy()
})

it('details missing -> errors at the fields, nothing is sent, what was typed stays', async () => {
  await show()
  const confirm = await toDetails()
  write('parcelForm.pickup_instructions', 'Back door')
  write('delivery.phone', '12')
  fireEvent.click(confirm)
  expect(screen.getByText('parcelForm.missing_person')).toBeTruthy()
  expect(screen.getByText('delivery.missing_phone')).toBeTruthy()
  expect(queryClient.isMutating()).toBe(0)
  write('delivery.person', 'Ada')
  expect(screen.queryByText('parcelForm.missing_person')).toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>('delivery.phone').value).toBe('12')
  expect(screen.getByLabelText<HTMLInputElement>('parcelForm.pickup_instructions').value).toBe('Back door')
})

it('details refused by the server -> error at its field, then booked with them', async () => {
  const { onBooked } = await show()
  const confirm = await toDetails()
  write('delivery.person', 'Ada')
  write('delivery.phone', '099 111 222')
  write('delivery.instructions', 'Ring twice')
  write('delivery.email', 'ada')
  refusal = {
    error: 'invalid_input',
    fields: [{ field: 'instructionData.deliveryEmail', error: 'wrong_type' }],
  }
  fireEvent.click(confirm)
  await screen.findByText('error.field_wrong_type')
  expect(onBooked).not.toHaveBeenCalled()
  refusal = null
  write('delivery.email', 'ada@example.com')
  fireEvent.click(confirm)
  await vi.waitFor(() => expect(onBooked).toHaveBeenCalledOnce())
  expect(sent.at(-1)).toMatchObject({
    payment_mode: 'card',
    instructionData: {
      deliveryPerson: 'Ada',
      deliveryPersonPhone: '099 111 222',
      deliveryInstructions: 'Ring twice',
      deliveryEmail: 'ada@example.com',
      parcelTypeIndex: 1,
      optionIndex: 1,
    },
  })
})

it('address book: a name is chosen with the keys -> booked with all their details, at their address', async () => {
  await show()
  const confirm = (await toDetails()) as HTMLButtonElement
  const field = screen.getByRole('combobox', { name: 'delivery.person' })
  field.focus()
  write('delivery.person', 'be')
  await screen.findByRole('option', { name: /Ben’s shop/ })
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  fireEvent.keyDown(field, { key: 'Enter' })
  await vi.waitFor(() => expect(estimates.at(-1)).toMatchObject({ drop: { lat: 3 } }))
  await vi.waitFor(() => expect(confirm.disabled).toBe(false))
  fireEvent.click(confirm)
  await vi.waitFor(() =>
    expect(sent.at(-1)).toMatchObject({
      drop: saved.place,
      instructionData: {
        deliveryPerson: 'Ben',
        deliveryPersonPhone: '099 333 444',
        deliveryEmail: 'ben@example.com',
        deliveryInstructions: 'Ring twice',
      },
    }),
  )
})

it('payment: only methods that are possible; cash where couriers collect it, with who pays', async () => {
  await show()
  await toDetails()
  expect(checked()).toEqual(['card'])
  expect(screen.getAllByRole('radio')).toHaveLength(1)
  cleanup()
  storeTestSettings({ category: 'delivery', cardAvailable: false, deliveryCash: true, version: 2 })
  await show()
  const confirm = await toDetails()
  fireEvent.click(screen.getByRole('radio', { name: /parcelForm.cash_drop/ }))
  expect(screen.getByText('parcelForm.cash_note')).toBeTruthy()
  write('delivery.person', 'Ada')
  write('delivery.phone', '099 111 222')
  fireEvent.click(confirm)
  await vi.waitFor(() =>
    expect(sent.at(-1)).toMatchObject({ payment_mode: 'cash', instructionData: { cash_at: 'drop' } }),
  )
})

it('payment: none is possible -> says so, cannot confirm', async () => {
  storeTestSettings({ category: 'delivery', cardAvailable: false, version: 2 })
  await show()
  fireEvent.click(screen.getByRole('button', { name: 'parcelForm.choice_continue' }))
  await screen.findByText('delivery.no_payment')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /onfirm/ }).disabled).toBe(true)
})
