import { expect, test } from 'vitest'
import { runCity } from './people.fixture.ts'

/** The first seed and how many; a failing seed alone: SEED=123 SEEDS=1. */
const [first, count] = [Number(process.env.SEED ?? 1), Number(process.env.SEEDS ?? 10_000)]

test(`${count} simulated cities from seed ${first} on -> all ends well`, async () => {
  for (let seed = first; seed < first + count; seed++) {
    const { flaws, history } = await runCity(seed)
    expect(flaws, `seed ${seed}:\n${history}`).toEqual([])
  }
}, 3_600_000)
