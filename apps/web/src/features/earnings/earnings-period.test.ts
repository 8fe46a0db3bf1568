import { describe, expect, it } from 'vitest'
import { earningsSearch, readEarningsAddress } from './earnings-period.ts'

const today = '2026-11-21'

describe('earnings URL', () => {
  it.each([
    [{}, 'day', '2026-11-21', '2026-11-21', true],
    [{ by: 'week' }, 'week', '2026-11-16', '2026-11-22', true],
    [{ by: 'week', day: '2026-11-15' }, 'week', '2026-11-09', '2026-11-15', false],
    [{ by: 'month', day: '2026-11-02' }, 'month', '2026-11-01', '2026-11-30', true],
    [{ by: 'month', day: '2024-02-10' }, 'month', '2024-02-01', '2024-02-29', false],
    // In the future, before the first day, invalid, and of another type.
    [{ day: '2026-11-22' }, 'day', '2026-11-21', '2026-11-21', true],
    [{ day: '1969-12-31' }, 'day', '2026-11-21', '2026-11-21', true],
    [{ day: '2026-02-30', by: 'month' }, 'month', '2026-11-01', '2026-11-30', true],
    [{ day: 20_261_115, by: 'year' }, 'day', '2026-11-21', '2026-11-21', true],
  ])('%o', (address, by, from, to, isCurrent) => {
    expect(readEarningsAddress(address, today)).toEqual({ by, from, to, isCurrent })
  })

  it('any period -> shortest URL, read back unchanged', () => {
    expect(earningsSearch({ by: 'day', from: today }, today)).toEqual({ by: undefined, day: undefined })
    expect(earningsSearch({ by: 'month', from: '2026-11-01' }, today)).toEqual({
      by: 'month',
      day: undefined,
    })
    const search = earningsSearch({ by: 'week', from: '2026-11-09' }, today)
    expect(search).toEqual({ by: 'week', day: '2026-11-09' })
    expect(readEarningsAddress(search, today)).toMatchObject({
      by: 'week',
      from: '2026-11-09',
      isCurrent: false,
    })
  })
})
