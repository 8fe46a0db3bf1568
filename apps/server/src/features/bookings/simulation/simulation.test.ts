import { expect, test } from 'vitest'
import { runCity } from './people.fixture.ts'

const seeds = 1_000

test(`${seeds} simulated cities: messages lost, repeated and late, servers killed -> all ends well`, async () => {
  let trips = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const result = await runCity(seed)
    expect(result.flaws.slice(0, 5), `seed ${seed}`).toEqual([])
    trips += result.trips
  }
  // A city in which nothing happens would prove nothing.
  expect(trips).toBeGreaterThan(seeds)
}, 300_000)

test('simulated city: same seed -> same run', async () => {
  const [one, same, other] = [await runCity(7), await runCity(7), await runCity(8)]
  expect(same.history).toBe(one.history)
  expect(other.history).not.toBe(one.history)
})
