import { beforeEach, expect, test, vi } from 'vitest'
import type { Credential } from './credentials.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'

vi.mock('./password-hash.ts', () => ({ hashPassword: vi.fn(), verifyPassword: vi.fn() }))

const person = (password: string | null): Credential => ({ uid: 'x', emailVerified: true, password })
const cases: [string, Credential | undefined, string][] = [
  ['known user', person('stored'), 'stored'],
  ['user without a password', person(null), 'dummy'],
  ['unknown user', undefined, 'dummy'],
]

beforeEach(() => {
  vi.resetModules()
  vi.mocked(hashPassword).mockReset()
  vi.mocked(verifyPassword).mockReset().mockResolvedValue(true)
})

test.each(cases)('isPassword: %s -> same hash work, first call too', async (_, credential, compared) => {
  const { isPassword } = await import('./credentials.ts')
  let made: (hash: string) => void = () => {}
  vi.mocked(hashPassword).mockReturnValue(new Promise((resolve) => (made = resolve)))
  const answer = isPassword(credential, 'typed')
  await Promise.resolve()
  expect(verifyPassword).not.toHaveBeenCalled()
  made('dummy')
  expect(await answer).toBe(compared === 'stored')
  await isPassword(credential, 'typed')
  expect(hashPassword).toHaveBeenCalledTimes(1)
  expect(vi.mocked(verifyPassword).mock.calls).toEqual(Array(2).fill([compared, 'typed']))
})
