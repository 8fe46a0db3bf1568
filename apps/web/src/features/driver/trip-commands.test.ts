import { describe, expect, it } from 'vitest'
import { driverSteps, statusAfter, stepFor } from './trip-commands.ts'

const tap = (...steps: (typeof driverSteps)[number][]) => steps.map((step) => ({ booking: 'b', step }))

describe('trip steps', () => {
  it('running trip: each status -> its one step', () => {
    expect(stepFor('ACCEPTED')).toBe('arrive')
    expect(stepFor('ARRIVED')).toBe('start')
    expect(stepFor('STARTED')).toBe('reach')
    expect(stepFor('REACHED')).toBe('close')
    expect(stepFor('PENDING')).toBe('confirm_cash')
    expect(stepFor('NEW')).toBeNull()
    expect(stepFor('COMPLETE')).toBeNull()
  })

  it('pending steps -> status after them', () => {
    expect(statusAfter('ACCEPTED', tap('arrive', 'start'), 'cash')).toBe('STARTED')
  })

  it('closed: cash -> paid; other methods -> waits', () => {
    expect(statusAfter('STARTED', tap('reach', 'close'), 'cash')).toBe('PAID')
    expect(statusAfter('STARTED', tap('reach', 'close'), 'wallet')).toBe('PENDING')
  })

  it('closed: rider paid nothing -> waits for the payment', () => {
    const unpaid = [{ booking: 'b', step: 'close', collected: 'nothing', amount: 0 } as const]
    expect(statusAfter('REACHED', unpaid, 'cash')).toBe('PENDING')
  })

  it('step that does not fit -> stops there', () => {
    expect(statusAfter('ACCEPTED', tap('start', 'reach'), 'cash')).toBe('ACCEPTED')
  })
})
