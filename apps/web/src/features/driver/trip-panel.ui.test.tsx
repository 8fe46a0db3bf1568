import type { BookingView } from '@hansom/contract/bookings'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { noChat, startConsole } from './driver.fixture.ts'
import { tripOf } from './trip.fixture.ts'
import type { TakenStep, TappedStep } from './trip-commands.ts'
import { TripPanel } from './trip-panel.tsx'

beforeEach(() => startConsole())
afterEach(cleanup)

const { pickup, drop } = tripOf()

function show(status: 'ACCEPTED' | 'STARTED', metres: number | null) {
  const place = status === 'ACCEPTED' ? pickup : drop
  const taken: TakenStep[] = []
  render(
    <QueryClientProvider client={queryClient}>
      <TripPanel
        chat={noChat}
        booking={tripOf({ status })}
        own={metres === null ? null : { lat: place.lat + metres / 111_195, lng: place.lng }}
        tapped={[]}
        refusal={null}
        onStep={(step) => taken.push(step)}
      />
    </QueryClientProvider>,
  )
  return taken
}
function showEnd(changes: Partial<BookingView>, tapped: TappedStep[] = []) {
  const taken: TakenStep[] = []
  render(
    <QueryClientProvider client={queryClient}>
      <TripPanel
        chat={noChat}
        booking={tripOf({ status: 'REACHED', ...changes })}
        own={null}
        tapped={tapped}
        refusal={null}
        onStep={(step) => taken.push(step)}
      />
    </QueryClientProvider>,
  )
  return taken
}
const both = { trip: 1_380_000, outstanding: 300_000, total: 1_680_000 }
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }), { detail: 1 })
const plain = (text: string | null) => (text ?? '').replace(/[\u2066-\u2069]/g, '')

it.each([
  ['ACCEPTED', 'I’ve arrived', 'arrive', 'the pickup', 'Yes, I’ve arrived'],
  ['STARTED', 'End trip', 'reach', 'the drop-off', 'Yes, end the trip here'],
] as const)('%s: far away -> asked first, with the distance', (status, button, step, place, yes) => {
  const taken = show(status, 430)
  press(button)
  expect(taken).toEqual([])
  const asked = screen.getByRole('alertdialog')
  expect(plain(asked.textContent)).toContain(`You’re 430 m from ${place}`)
  press('Not yet')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  press(button)
  press(yes)
  expect(taken).toEqual([{ booking: 'b', step }])
})

it.each([
  ['near', 250],
  ['position unknown', null],
])('arrive: %s -> no confirmation', (_case, metres) => {
  const taken = show('ACCEPTED', metres)
  press('I’ve arrived')
  expect(taken).toEqual([{ booking: 'b', step: 'arrive' }])
})

it.each([
  ['on the way', { status: 'ACCEPTED' }, 'Pickup scheduled for'],
  ['waiting', { status: 'ARRIVED' }, 'Pickup scheduled for'],
  ['underway', { status: 'STARTED' }, null],
  ['time passed', { status: 'ACCEPTED', tripdate: Date.now() - 60_000 }, null],
  ['Book Now', { status: 'ACCEPTED', bookLater: false }, null],
] as const)('Book Later, %s -> agreed time of the pickup: %s', (_case, changes, text) => {
  showEnd({ bookLater: true, tripdate: Date.now() + 600_000, ...changes })
  const line = screen.queryByText(/Pickup scheduled/)
  if (text === null) expect(line).toBeNull()
  else expect(plain(line?.textContent ?? '')).toMatch(/^Pickup scheduled for \d{1,2}:\d\d/)
})

it('Book Later in two days -> the pickup with its date', () => {
  const tripdate = Date.now() + 48 * 3_600_000
  showEnd({ status: 'ACCEPTED', bookLater: true, tripdate })
  expect(screen.getByText(/Pickup scheduled/).textContent).toContain(String(new Date(tripdate).getDate()))
})

it('note of the rider -> shown as theirs', () => {
  showEnd({ note: 'Blue door' })
  expect(screen.getByText('Note from the rider').nextSibling?.textContent).toBe('Blue door')
})

it("navigation: driving -> link to the device's maps app for the next place", () => {
  show('STARTED', 0)
  const link = screen.getByRole('link', { name: 'Navigate' }).getAttribute('href')
  expect(decodeURIComponent(link ?? '')).toContain(`${drop.lat.toFixed(6)},${drop.lng.toFixed(6)}`)
})

it('cash trip ends: outstanding amount -> total, both parts, answer with the shown amount', () => {
  const taken = showEnd({ collect: both })
  const words = plain(screen.getByRole('region', { name: 'Your trip' }).textContent)
  expect(words).toMatch(/Collect in cash\$168This trip\$138Outstanding amount\$30Your share: \$125/)
  press(screen.getByRole('button', { name: /^Collected/ }).textContent ?? '')
  press(screen.getByRole('button', { name: /^Only this trip/ }).textContent ?? '')
  press('The rider paid nothing')
  expect(taken).toHaveLength(2)
  press('Complete without payment')
  expect(taken).toEqual([
    { booking: 'b', step: 'close', collected: 'all', amount: 1_680_000 },
    { booking: 'b', step: 'close', collected: 'trip', amount: 1_380_000 },
    { booking: 'b', step: 'close', collected: 'nothing', amount: 0 },
  ])
})

it('cash trip ends: nothing outstanding -> no answer for the trip alone', () => {
  showEnd({ collect: { trip: 1_380_000, outstanding: 0, total: 1_380_000 } })
  expect(screen.queryByRole('button', { name: /^Only this trip/ })).toBeNull()
})

it('cash trip ends: not sent yet -> cannot be closed, amount unknown', () => {
  showEnd({ status: 'STARTED' }, [{ booking: 'b', step: 'reach', at: 1, key: 'k' }])
  expect(screen.getByText(/The fare will be calculated/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Collected|Complete trip/ })).toBeNull()
})

it.each([
  ['card', false, 'The rider pays by card.'],
  ['wallet', false, 'The rider pays from their wallet.'],
  ['card', true, 'This trip was paid in advance.'],
] as const)('the end of a trip: by %s, in advance %s -> nothing to collect', (payment_mode, prepaid, why) => {
  const taken = showEnd({ payment_mode, prepaid, collect: { trip: 0, outstanding: 0, total: 0 } })
  expect(screen.getByText('Nothing to collect')).toBeTruthy()
  expect(screen.getByText(why)).toBeTruthy()
  press('Complete trip')
  expect(taken).toEqual([{ booking: 'b', step: 'close' }])
})

it('closed unpaid: rider objects -> driver sees that an admin decides', () => {
  showEnd({ status: 'PENDING', cash_answer: 'nothing', objection: 'open' })
  expect(screen.getByText(/reviewing it/)).toBeTruthy()
})
