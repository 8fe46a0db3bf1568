import { Refusal } from '@hansom/domain/error-keys'
import { expect, test, vi } from 'vitest'
import { hashInQueue } from './create-account.ts'
import { createPasswords, type PasswordsDeps } from './passwords.ts'

vi.mock('./create-account.ts', () => ({ hashInQueue: vi.fn() }))

test('setByLink: invalid link -> no hash is computed', async () => {
  const links = { check: () => Promise.reject(new Refusal('link_expired')) }
  const passwords = createPasswords({ links, database: {} } as unknown as PasswordsDeps)
  for (const kind of ['reset', 'invitation'] as const) {
    const input = { token: 'made up', password: 'good1234' }
    await expect(passwords.setByLink(kind, input)).rejects.toThrow('link_expired')
  }
  expect(hashInQueue).not.toHaveBeenCalled()
})
