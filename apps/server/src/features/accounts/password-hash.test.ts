import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password-hash.ts'

// Made by better-auth 1.7.25: `hashPassword('contraseña Ⅸ 123')`.
const stored =
  'e1867a5fe975234fb9e2ae8b0a9fbd8c:cc1dce0f0e295acaa1e86ae2787f62507cc21cd12a3f5b4c3aa287bec2f2fb6dbf4f74e51a1165ac42af36be1424e6cfb400948f5ec50867ac9093c7cf6ec1c2'

test('verifyPassword: hash made by better-auth -> the password in any Unicode form', async () => {
  expect(await verifyPassword(stored, 'contraseña Ⅸ 123')).toBe(true)
  expect(await verifyPassword(stored, 'contrasen\u0303a IX 123')).toBe(true)
  expect(await verifyPassword(stored, 'contraseña X 123')).toBe(false)
})

test('hashPassword: same password twice -> another salt, both verified', async () => {
  const [first, second] = await Promise.all([hashPassword('abc123'), hashPassword('abc123')])
  expect(first).not.toBe(second)
  for (const hash of [first, second]) {
    expect(hash).toMatch(/^[\da-f]{32}:[\da-f]{128}$/)
    expect(await verifyPassword(hash, 'abc123')).toBe(true)
  }
})

test.each(['', 'x', 'a:b', `${stored}00`])('verifyPassword: malformed hash "%s" -> false', async (hash) => {
  expect(await verifyPassword(hash, 'abc123')).toBe(false)
})
