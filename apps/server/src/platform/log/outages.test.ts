import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { markDatabaseError } from '../database/postgres-errors.ts'
import { createLog } from './log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openLog() {
  const written: string[] = []
  const log = createLog({
    level: 'info',
    readable: false,
    destination: { write: (line) => void written.push(line) },
  })
  const lost = () => ({
    err: markDatabaseError(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
    job: 'x',
  })
  const take = () => written.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>)
  return { log, lost, take }
}

test('outage: an hour of 20 sources polling twice a second -> at most 12 lines per source, no stack', () => {
  const { log, lost, take } = openLog()
  for (let poll = 0; poll < 7_200; poll++) {
    for (let source = 0; source < 20; source++) log.warn(lost(), `source ${source}`)
    vi.advanceTimersByTime(500)
  }
  const lines = take()
  expect(lines.length).toBeLessThanOrEqual(20 * 12)
  expect(lines[0]).toMatchObject({ msg: 'source 0', job: 'x', reason: 'connect ECONNREFUSED' })
  expect(lines.filter((line) => 'err' in line)).toEqual([])
})

test('outage: over -> one summary; next outage -> reported immediately', () => {
  const { log, lost, take } = openLog()
  const back = () => log.info({ outage: 'over' }, 'database available again')
  back()
  for (let second = 0; second < 5; second++) {
    log.warn(lost(), 'a source')
    back()
    vi.advanceTimersByTime(1_000)
  }
  expect(take().map((line) => line.msg)).toEqual(['a source'])
  back()
  vi.advanceTimersByTime(5_000)
  back()
  expect(take()).toMatchObject([{ msg: 'database available again', failures: 5, seconds: 4 }])
  vi.advanceTimersByTime(120_000)
  log.child({}).error(lost(), 'a source')
  expect(take().map((line) => line.msg)).toEqual(['a source'])
})

test('other errors: repeated -> each reported with its stack', () => {
  const { log, take } = openLog()
  for (let time = 0; time < 3; time++) log.warn({ err: new Error('broken') }, 'a source')
  expect(take().map((line) => (line.err as Error).message)).toEqual(['broken', 'broken', 'broken'])
})
