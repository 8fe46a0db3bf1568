import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startConsole, tripOf } from './driver.fixture.ts'
import type { TakenStep } from './trip-commands.ts'
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
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }), { detail: 1 })
const plain = (text: string | null) => (text ?? '').replace(/[\u2066-\u2069]/g, '')

it.each([
  ['ACCEPTED', "I've arrived", 'arrive', 'the pickup', "Yes, I've arrived"],
  ['STARTED', 'End the trip', 'reach', 'the destination', 'Yes, end the trip here'],
] as const)('%s: far away -> asked first, with the distance', (status, button, step, place, yes) => {
  const taken = show(status, 430)
  press(button)
  expect(taken).toEqual([])
  const asked = screen.getByRole('alertdialog')
  expect(plain(asked.textContent)).toContain(`You are 430 m from ${place}`)
  press('Not yet')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  press(button)
  press(yes)
  expect(taken).toEqual([{ booking: 'b', step }])
})

it.each([
  ['near', 250],
  ['nobody knows where', null],
])('arriving: %s -> not asked', (_case, metres) => {
  const taken = show('ACCEPTED', metres)
  press("I've arrived")
  expect(taken).toEqual([{ booking: 'b', step: 'arrive' }])
})

it("navigation: on the way -> a link to the device's maps app for the next place", () => {
  show('STARTED', 0)
  const link = screen.getByRole('link', { name: 'Navigate' }).getAttribute('href')
  expect(decodeURIComponent(link ?? '')).toContain(`${drop.lat.toFixed(6)},${drop.lng.toFixed(6)}`)
})
