import fc from 'fast-check'
import loadHighs from 'highs'
import { describe, expect, it } from 'vitest'
import { assign, type SparseCosts } from './assign.ts'
import { randomCity } from './random-city.fixture.ts'

/** The costs of an assignment. Throws if a column is used twice or a pair does not exist. */
function costOf({ start, column, cost }: SparseCosts, unmatched: Float64Array, result: Int32Array): number {
  const used = new Set<number>()
  return [...result].reduce((sum, to, row) => {
    if (to === -1) return sum + (unmatched[row] as number)
    if (used.has(to)) throw new Error(`column ${to} is used twice`)
    used.add(to)
    for (let pair = start[row] as number; pair < (start[row + 1] as number); pair++)
      if (column[pair] === to) return sum + (cost[pair] as number)
    throw new Error(`row ${row} has no pair with column ${to}`)
  }, 0)
}

function sparse(rows: readonly (readonly [column: number, cost: number])[][], columns: number): SparseCosts {
  const start = new Uint32Array(rows.length + 1)
  for (const [row, pairs] of rows.entries()) start[row + 1] = (start[row] as number) + pairs.length
  return {
    start,
    column: Uint32Array.from(rows.flat(), ([column]) => column),
    cost: Float64Array.from(rows.flat(), ([, cost]) => cost),
    columns,
  }
}

/** The least costs, by trying everything. */
function bruteForce(
  rows: readonly (readonly [number, number])[][],
  unmatched: readonly number[],
  used: ReadonlySet<number> = new Set(),
): number {
  const [first, ...rest] = rows
  if (first === undefined) return 0
  const [out, ...outs] = unmatched
  const options = first.filter(([column]) => !used.has(column))
  return Math.min(
    (out as number) + bruteForce(rest, outs, used),
    ...options.map(([column, cost]) => cost + bruteForce(rest, outs, new Set([...used, column]))),
  )
}

/** The optimum of the same pairs as a linear program, which has integer solutions, by HiGHS. */
async function optimum({ start, column, cost, columns }: SparseCosts, unmatched: Float64Array) {
  const highs = await loadHighs()
  const rows = start.length - 1
  const byColumn: string[][] = Array.from({ length: columns }, () => [])
  const objective: string[] = []
  const constraints: string[] = []
  for (let row = 0; row < rows; row++) {
    const terms = [`u${row}`]
    objective.push(`${unmatched[row]} u${row}`)
    for (let pair = start[row] as number; pair < (start[row + 1] as number); pair++) {
      objective.push(`${cost[pair]} p${pair}`)
      terms.push(`p${pair}`)
      byColumn[column[pair] as number]?.push(`p${pair}`)
    }
    constraints.push(` r${row}: ${terms.join(' + ')} = 1`)
  }
  for (const [to, terms] of byColumn.entries())
    if (terms.length > 1) constraints.push(` c${to}: ${terms.join(' + ')} <= 1`)
  const lines = ['Minimize', ` obj: ${objective.join('\n + ')}`, 'Subject To', ...constraints, 'End']
  const solution = highs.solve(lines.join('\n'))
  if (solution.Status !== 'Optimal') throw new Error(`no optimum: ${solution.Status}`)
  return solution.ObjectiveValue
}

describe('assign', () => {
  it('any small costs -> the least sum', () => {
    const amount = fc.integer({ min: 0, max: 30 })
    const pairs = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 4 }), amount), {
      selector: ([column]) => column,
      maxLength: 5,
    })
    const row = fc.record({ pairs, out: fc.integer({ min: 0, max: 60 }) })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (all) => {
        const rows = all.map((one) => one.pairs)
        const outs = all.map(({ out }) => out)
        const costs = sparse(rows, 5)
        const unmatched = Float64Array.from(outs)
        expect(costOf(costs, unmatched, assign(costs, unmatched))).toBe(bruteForce(rows, outs))
      }),
      { numRuns: 2_000 },
    )
  })

  it('1,000 riders, 2,000 drivers, the 20 nearest of each -> within 1 % of the optimum', async () => {
    const { costs, unmatched } = randomCity(1_000, 2_000, 1)
    const ours = costOf(costs, unmatched, assign(costs, unmatched))
    expect(ours / (await optimum(costs, unmatched))).toBeLessThanOrEqual(1.01)
  })

  it('more riders than drivers -> within 1 % of the optimum, too', async () => {
    const { costs, unmatched } = randomCity(400, 200, 2)
    const result = assign(costs, unmatched)
    expect(costOf(costs, unmatched, result) / (await optimum(costs, unmatched))).toBeLessThanOrEqual(1.01)
    expect(result.filter((to) => to >= 0).length).toBeGreaterThan(190)
  })
})
