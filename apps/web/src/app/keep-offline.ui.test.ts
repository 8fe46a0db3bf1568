import { ApiError } from '@hansom/client/api-error'
import { expect, it } from 'vitest'
import { isReadable } from './keep-offline.ts'

it.each([
  ['read', 'trip', null, true],
  ['read, then without a connection', 'trip', new ApiError('Fetch Call Error', 0), true],
  ['read, then the database was away', 'trip', new ApiError('unavailable', 503), true],
  ['read, then refused', 'trip', new ApiError('not_found', 404), false],
  ['never read', undefined, new ApiError('Fetch Call Error', 0), false],
])('data: %s -> kept for the time without a connection or not', (_case, data, error, kept) => {
  expect(isReadable({ data, error } as Parameters<typeof isReadable>[0])).toBe(kept)
})
