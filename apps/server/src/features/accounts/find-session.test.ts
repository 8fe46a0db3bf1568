import { expect, test } from 'vitest'
import { createSessionUsers } from './find-session.ts'

let now = 0
let asked = 0
let isDown = false
const people = () =>
  createSessionUsers(
    async (token) => {
      asked++
      if (isDown) throw new Error('the database is unavailable')
      return token === 'ended' ? null : `person of ${token}`
    },
    () => now,
  )

test('known people: many requests with one session, valid or ended -> one query', async () => {
  const known = people()
  asked = 0
  await Promise.all(Array.from({ length: 20 }, () => known.userOf('a')))
  expect(await known.userOf('a')).toBe('person of a')
  for (let number = 0; number < 20; number++) expect(await known.userOf('ended')).toBeNull()
  expect(asked).toBe(2)
})

test('known people: database is unavailable -> known sessions stay known, others count as visitors', async () => {
  const known = people()
  await known.userOf('a')
  now += 700_000
  isDown = true
  expect(await known.userOf('a')).toBe('person of a')
  expect(await known.userOf('a')).toBe('person of a')
  expect(await known.userOf('b')).toBeNull()
  isDown = false
  expect(await known.userOf('b')).toBe('person of b')
})
