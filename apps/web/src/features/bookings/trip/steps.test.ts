import type { BookingView } from '@hansom/contract/bookings'
import { expect, it } from 'vitest'
import { stepsOf } from './command-buttons.tsx'

const ended = {
  viewer: 'driver',
  status: 'REACHED',
  commands: ['close'],
  collect: { trip: 1, outstanding: 0, total: 1 },
} as unknown as BookingView

it('steps: driver with cash to collect -> cannot close without the paid amount', () => {
  expect(stepsOf(ended)).toEqual([])
})

it('steps: nothing to collect, or an admin -> can close', () => {
  expect(stepsOf({ ...ended, collect: { trip: 0, outstanding: 0, total: 0 } })).toEqual(['close'])
  expect(stepsOf({ ...ended, viewer: 'admin' })).toEqual(['close'])
})
