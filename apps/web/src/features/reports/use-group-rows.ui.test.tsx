import type { DriverEarning } from '@hansom/contract/reports'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { Stretch } from './group-rows.ts'
import { useGroupRows } from './use-group-rows.ts'

afterEach(cleanup)

const month: Stretch = { of: 'month', year: 2026, month: 11 }
const row = (driver: string) => ({ driver }) as DriverEarning

/** A server that responds when the test lets it. */
function start(first: string) {
  const calls: {
    cursor: string | undefined
    answer: (rows: string[], next: string | null) => void
    fail: () => void
  }[] = []
  const read: Parameters<typeof useGroupRows>[1] = (_stretch, cursor) =>
    new Promise((resolve, reject) => {
      calls.push({
        cursor,
        answer: (rows, next) => resolve({ items: rows.map(row), next }),
        fail: () => reject(new Error('no')),
      })
    })
  const { result, rerender } = renderHook(({ question }) => useGroupRows(question, read), {
    initialProps: { question: first },
  })
  const state = () => result.current[0].get('2026-11')
  return {
    calls,
    load: () => act(async () => result.current[1](month)),
    answer: (call: number, rows: string[], next: string | null) =>
      act(async () => calls[call]?.answer(rows, next)),
    fail: (call: number) => act(async () => calls[call]?.fail()),
    ask: (question: string) => rerender({ question }),
    names: () => state()?.rows.map(({ driver }) => driver),
    state,
  }
}

it('several requests for a page -> loaded once, continued at its cursor', async () => {
  const city = start('all')
  await city.load()
  await city.load()
  expect(city.calls).toHaveLength(1)
  await city.answer(0, ['ana', 'bea'], 'more')
  await city.load()
  expect(city.calls[1]?.cursor).toBe('more')
  await city.answer(1, ['cid'], null)
  expect(city.names()).toEqual(['ana', 'bea', 'cid'])
  await city.load()
  expect(city.calls).toHaveLength(2)
})

it('failed page -> can be retried', async () => {
  const city = start('all')
  await city.load()
  await city.fail(0)
  expect(city.state()?.failed).toBe(true)
  await city.load()
  await city.answer(1, ['ana'], null)
  expect([city.names(), city.state()?.failed]).toEqual([['ana'], false])
})

it('new query -> starts over, late responses to the old one are ignored', async () => {
  const city = start('all')
  await city.load()
  city.ask('2025')
  await city.load()
  await city.answer(0, ['ana'], null)
  expect(city.names()).toBeUndefined()
  await city.answer(1, ['bea'], null)
  expect(city.names()).toEqual(['bea'])
})
