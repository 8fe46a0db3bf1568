import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Credential } from './credentials.ts'

vi.mock('better-auth/crypto', () => ({ hashPassword: vi.fn(), verifyPassword: vi.fn() }))

const person = (password: string | null): Credential => ({ uid: 'x', emailVerified: true, password })
const everybody: [string, Credential | undefined, string][] = [
  ['somebody', person('kept'), 'kept'],
  ['somebody without a password', person(null), 'nobodys'],
  ['nobody', undefined, 'nobodys'],
]

beforeEach(() => {
  vi.resetModules()
  vi.mocked(hashPassword).mockReset()
  vi.mocked(verifyPassword).mockReset().mockResolvedValue(true)
})

test.each(everybody)('isPassword: %s -> same hash work, first call too', async (_, credential, compared) => {
  const { isPassword } = await import('./credentials.ts')
  let made: (hash: string) => void = () => {}
  vi.mocked(hashPassword).mockReturnValue(new Promise((resolve) => (made = resolve)))
  const answer = isPassword(credential, 'typed')
  await Promise.resolve()
  expect(verifyPassword).not.toHaveBeenCalled()
  made('nobodys')
  expect(await answer).toBe(compared === 'kept')
  await isPassword(credential, 'typed')
  expect(hashPassword).toHaveBeenCalledTimes(1)
  expect(vi.mocked(verifyPassword).mock.calls).toEqual(Array(2).fill([{ hash: compared, password: 'typed' }]))
})
