import { expect, it } from 'vitest'
import { bestScore, excess, scoreOf } from './best-score.fixture.ts'
import { type DropPlan, orderStops } from './order-stops.ts'
import { randomDrops } from './random-drops.fixture.ts'

it('orderStops: 50 bookings of 20 drops -> within 2 % of the exact optimum', () => {
  for (let seed = 0; seed < 50; seed++) {
    const table = randomDrops(20, seed)
    const score = scoreOf(orderStops(table) as DropPlan, table)
    expect(excess(score, bestScore(table, score) ?? score), `seed ${seed}`).toBeLessThan(2)
  }
})
