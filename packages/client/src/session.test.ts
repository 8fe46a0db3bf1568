import { expect, it } from 'vitest'
import { Session } from './session.ts'

it('renew: concurrent calls with the same token -> one sign-in', async () => {
  let signIns = 0
  const session = new Session('a', async () => `b${++signIns}`)
  expect(await session.token()).toBe('a')
  expect(await Promise.all([session.renew('a'), session.renew('a')])).toEqual(['b1', 'b1'])
  expect(await session.renew('a')).toBe('b1')
  expect(await session.token()).toBe('b1')
})

it('renew: sign-in failed -> can be retried', async () => {
  let fails = true
  const session = new Session('a', async () => {
    if (fails) throw new Error('busy')
    return 'b'
  })
  await expect(session.renew('a')).rejects.toThrow('busy')
  fails = false
  expect(await session.renew('a')).toBe('b')
})
