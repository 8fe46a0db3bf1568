import { expect, test } from 'vitest'
import type { Os } from '../../platform/http/implement.ts'
import { mostPageErrors, pagesRoutes } from './routes.ts'

type Report = { input: { id: string; message: string; stack: string; path: string } }

/** The handler of reports, and what it has logged. */
function reporting() {
  const logged: object[] = []
  const os = { pages: { reportError: { handler: (run: (report: Report) => unknown) => run } } }
  const log = { warn: (fields: object) => void logged.push(fields) }
  const { reportError } = pagesRoutes(os as unknown as Os, log) as unknown as {
    reportError: (report: Report) => unknown
  }
  return { logged, reportError }
}
const id = 'a'.repeat(32)

test('page error on the page of a link -> logged without its token', () => {
  const { logged, reportError } = reporting()
  const path = '/track/secret-token'
  reportError({ input: { id, message: `at ${path}`, stack: `x\n${path}`, path } })
  expect(logged).toEqual([
    { pageError: id, message: 'at /track/$token', stack: 'x\n/track/$token', screen: '/track/$token' },
  ])
})

test('page errors without end -> bounded, of all visitors together', () => {
  const { logged, reportError } = reporting()
  const input = { id, message: 'm', stack: '', path: '/nothing' }
  for (let count = 0; count < mostPageErrors + 50; count += 1) reportError({ input })
  // The minute may change once meanwhile.
  expect(logged.length).toBeLessThanOrEqual(mostPageErrors + 49)
  expect(logged.length).toBeGreaterThanOrEqual(mostPageErrors)
  expect(logged[0]).toMatchObject({ screen: 'unknown' })
})

test('page error that names a person -> masked; the places in the code stay', () => {
  const { logged, reportError } = reporting()
  const stack = 'open@https://rides.test/assets/trip-4f3b.js:1:20417'
  reportError({
    input: { id, message: 'ana.b@home.test, +598 99 123-456, at -34.9057,-56.1913', stack, path: '/nothing' },
  })
  expect(logged[0]).toMatchObject({ message: '[email], [number], at [number],[number]', stack })
})
