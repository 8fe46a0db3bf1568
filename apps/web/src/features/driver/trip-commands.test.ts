import { describe, expect, it } from 'vitest'
import { driverSteps, statusAfter, stepFor } from './trip-commands.ts'

const tap = (...steps: (typeof driverSteps)[number][]) => steps.map((step) => ({ booking: 'b', step }))

describe('the steps of a trip', () => {
  it('gives each status of a running trip its one step', () => {
    expect(stepFor('ACCEPTED')).toBe('arrive')
    expect(stepFor('ARRIVED')).toBe('start')
    expect(stepFor('STARTED')).toBe('reach')
    expect(stepFor('REACHED')).toBe('close')
    expect(stepFor('PENDING')).toBe('confirm_cash')
    expect(stepFor('NEW')).toBeNull()
    expect(stepFor('COMPLETE')).toBeNull()
  })

  it('walks ahead over steps that still wait for the line', () => {
    expect(statusAfter('ACCEPTED', tap('arrive', 'start'), 'cash')).toBe('STARTED')
  })

  it('takes cash for paid once the trip is closed, and waits for any other payment', () => {
    expect(statusAfter('STARTED', tap('reach', 'close'), 'cash')).toBe('PAID')
    expect(statusAfter('STARTED', tap('reach', 'close'), 'wallet')).toBe('PENDING')
  })

  it('closing a cash trip: the rider paid nothing -> still waits for the payment', () => {
    const unpaid = [{ booking: 'b', step: 'close', collected: 'nothing', amount: 0 } as const]
    expect(statusAfter('REACHED', unpaid, 'cash')).toBe('PENDING')
  })

  it('stops at a step that does not follow', () => {
    expect(statusAfter('ACCEPTED', tap('start', 'reach'), 'cash')).toBe('ACCEPTED')
  })
})
