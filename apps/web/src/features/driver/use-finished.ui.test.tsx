import type { BookingView } from '@hansom/contract/bookings'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { currentTrip, useFinished } from './driver-console.tsx'
import { tripOf } from './trip.fixture.ts'

afterEach(cleanup)

const unpaid = tripOf({ id: 'old', status: 'PENDING' })
const trip = (status: BookingView['status']) => tripOf({ id: 'new', status })

function follow(first: BookingView[]) {
  return renderHook(({ open }) => useFinished(open, currentTrip(open)), { initialProps: { open: first } })
}

it('finished: paid while an older trip is unpaid -> paid one first until closed', () => {
  const hook = follow([unpaid, trip('REACHED')])
  expect(hook.result.current.finished).toBeNull()
  hook.rerender({ open: [unpaid, trip('PAID')] })
  expect(hook.result.current.finished?.id).toBe('new')
  act(() => hook.result.current.leave('new'))
  expect(hook.result.current.finished).toBeNull()
})

it('finished: rated by the rider and off the list -> stays until closed', () => {
  const hook = follow([trip('REACHED')])
  hook.rerender({ open: [trip('PAID')] })
  hook.rerender({ open: [] })
  expect(hook.result.current.finished?.id).toBe('new')
})

it('finished: unpaid trip paid later -> shown too', () => {
  const hook = follow([unpaid])
  hook.rerender({ open: [{ ...unpaid, status: 'PAID' }] })
  expect(hook.result.current.finished?.id).toBe('old')
})

it('finished: next trip started -> earlier one does not return', () => {
  const hook = follow([unpaid, trip('REACHED')])
  hook.rerender({ open: [unpaid, trip('PAID')] })
  const next = tripOf({ id: 'next', status: 'ACCEPTED' })
  hook.rerender({ open: [unpaid, trip('PAID'), next] })
  expect(hook.result.current.finished).toBeNull()
  hook.rerender({ open: [unpaid, trip('PAID'), { ...next, status: 'PENDING' }] })
  expect(hook.result.current.finished).toBeNull()
})
