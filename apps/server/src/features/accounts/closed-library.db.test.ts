import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../platform/log/log.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { createIdentityLibrary } from './library.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

/** Our routes that share a path with the library's. */
const own = [
  'POST /api/auth/sign-in/email',
  'POST /api/auth/sign-out',
  'GET /api/auth/callback/facebook',
  'POST /api/auth/callback/facebook',
]

test('library endpoints -> none is reachable', async () => {
  const library = createIdentityLibrary({
    database: app.database,
    log: silentLog(),
    secret: 'a secret that is long enough for this',
    publicUrl: undefined,
  })
  const endpoints = Object.values(library.api as unknown as Record<string, Endpoint>).flatMap(
    ({ path, options }) => {
      if (path === undefined) return []
      const url = `/api/auth${path.replace(/:id/g, 'facebook').replace(/:\\w+/g, 'x')}`
      return [options?.method ?? 'GET'].flat().map((method) => ({ method, url }))
    },
  )
  expect(endpoints.length).toBeGreaterThan(25)
  const reached: string[] = []
  for (const { method, url } of endpoints) {
    const payload = method === 'GET' ? undefined : {}
    const answer = await app.server.inject({ method: method as 'GET', url, payload })
    const isClosed = answer.statusCode === 404 && answer.json().error === 'not_found'
    if (!isClosed) reached.push(`${method} ${url}`)
  }
  expect(reached.filter((one) => !own.includes(one))).toEqual([])
  expect(reached).toContain('POST /api/auth/sign-in/email')
})

interface Endpoint {
  path?: string
  options?: { method?: string | string[] }
}
