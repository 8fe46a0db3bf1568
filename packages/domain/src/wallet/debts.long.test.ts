import { expect, it } from 'vitest'
import { operationNames, walkWithDebts } from './debts.fixture.ts'

it('debts: 100,000 random operations -> every entry sums to zero, drivers get only collected money', () => {
  const happened = walkWithDebts(100_000)
  for (const name of operationNames) expect([name, (happened.get(name) ?? 0) > 100]).toEqual([name, true])
})
