import { expect, it } from 'vitest'
import { Session } from './session.ts'

it('signs in once for all who found the token dead', async () => {
  let signIns = 0
  const session = new Session('a', async () => `b${++signIns}`)
  expect(await session.token()).toBe('a')
  expect(await Promise.all([session.renew('a'), session.renew('a')])).toEqual(['b1', 'b1'])
  expect(await session.renew('a')).toBe('b1')
  expect(await session.token()).toBe('b1')
})

it('may try again after a sign-in that failed', async () => {
  let fails = true
  const session = new Session('a', async () => {
    if (fails) throw new Error('busy')
    return 'b'
  })
  await expect(session.renew('a')).rejects.toThrow('busy')
  fails = false
  expect(await session.renew('a')).toBe('b')
})
