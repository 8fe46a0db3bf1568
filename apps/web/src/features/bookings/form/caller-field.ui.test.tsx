import type { Caller } from '@hansom/contract/users'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useEffect } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { CallerField, type CallerState, useCaller } from './caller-field.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: ReactNode }) => <a href="/">{children}</a>,
}))

const place = (add: string) => ({ lat: 1, lng: 1, add })
const trip = (id: string, drop: string): Caller['trips'][number] => ({
  id,
  booking_id: 'ABC234',
  status: 'NEW',
  tripdate: 0,
  pickup: place('Home'),
  drop: place(drop),
  car_type_id: 'c',
  carType: 'Economy',
  payment_mode: 'cash',
})
const ana: Caller = {
  uid: 'u',
  name: 'Ana Pereira',
  mobile: '+59899700901',
  guest: true,
  proven: false,
  approved: true,
  walletBalance: 0,
  outstanding: 50_000,
  places: [],
  trips: [trip('t1', 'Stadium'), trip('t2', 'Airport')],
}

let callers: Caller[]
let asked: string[]
beforeEach(() => {
  queryClient.clear()
  asked = []
  startEnglish({
    'booking.rider': 'Rider',
    'booking.caller_name': 'Name of the caller',
    'booking.caller_trip': '{{from}} to {{to}}',
    'booking.caller_open': 'Open trip {{number}}',
    'booking.caller_owes': 'Owes {{amount}}',
    'users.is_guest': 'Guest',
    'booking.caller_unproven': 'Book for account {{name}}',
    'booking.caller_is_new': 'New caller',
    'booking.number_unproven': 'Number not confirmed',
    'booking.number_proven': 'Number confirmed',
  })
  storeTestSettings({ timezone: 'UTC', country: 'UY' })
  vi.stubGlobal('fetch', (input: string) => {
    asked.push(String(input))
    const body = String(input).includes('/callers') ? callers : { items: [], next: null }
    return Promise.resolve(
      new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }),
    )
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const onRepeat = vi.fn()
let state: CallerState
function Field() {
  const shown = useCaller()
  useEffect(() => {
    state = shown
  })
  return <CallerField state={shown} onRepeat={onRepeat} onNewTrip={() => {}} />
}
function type(text: string) {
  render(
    <QueryClientProvider client={queryClient}>
      <Field />
    </QueryClientProvider>,
  )
  fireEvent.input(screen.getByRole('combobox'), { target: { value: text } })
}

it('known number -> name, debt and open trip; Enter repeats the last trip', async () => {
  callers = [ana]
  type('099 700 901')
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Rider' }))
  await screen.findByText('Guest')
  expect(screen.getByText(/Owes/)).toBeTruthy()
  expect(screen.getByText(/Open trip/)).toBeTruthy()
  expect(screen.getAllByRole('option')).toHaveLength(3)
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  expect(onRepeat).toHaveBeenCalledWith(ana.trips[0], ana)
})

it('new number -> asks for the name', async () => {
  callers = []
  type('099 700 902')
  await screen.findByLabelText('Name of the caller')
})

it('name -> searches riders, not callers', async () => {
  callers = [ana]
  type('Ana')
  await waitFor(() => expect(asked.some((url) => url.includes('/users?'))).toBe(true))
  expect(asked.some((url) => url.includes('/callers'))).toBe(false)
  expect(screen.queryByLabelText('Name of the caller')).toBeNull()
})

const eve = { ...ana, uid: 'e', name: 'Eve', guest: false }

it('guest and an account that has not proven the number -> the guest; the account is only offered', async () => {
  callers = [eve, ana]
  type('099 700 901')
  await screen.findByText('Guest')
  expect(state.caller).toEqual(ana)
  fireEvent.click(screen.getByRole('option', { name: /Book for account .*Eve/ }))
  await screen.findByText('Number not confirmed')
  expect(state.caller).toEqual(eve)
})

it('only an account that has not proven the number -> no one is chosen; this account or a new caller', async () => {
  callers = [eve]
  type('099 700 901')
  fireEvent.click(await screen.findByRole('option', { name: 'New caller' }))
  await screen.findByLabelText('Name of the caller')
  expect(state).toMatchObject({ caller: null, isNew: true })
  fireEvent.input(screen.getByRole('combobox'), { target: { value: '099 700 9' } })
  fireEvent.input(screen.getByRole('combobox'), { target: { value: '099 700 901' } })
  const account = await screen.findByRole('option', { name: /Book for account .*Eve/ })
  expect(screen.queryByLabelText('Name of the caller')).toBeNull()
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  expect(state).toMatchObject({ caller: null, isNew: false })
  fireEvent.click(account)
  await screen.findByText('Number not confirmed')
  expect(state.caller).toEqual(eve)
})

it('account whose approval was withdrawn -> shown as such, no trip is offered', async () => {
  callers = [{ ...eve, proven: true, approved: false }]
  type('099 700 901')
  await screen.findByText('Number confirmed')
  expect(screen.getByText('error.rider_not_approved')).toBeTruthy()
  expect(screen.queryByRole('option')).toBeNull()
})
