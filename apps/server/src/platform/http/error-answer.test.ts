import { Refusal } from '@hansom/domain/error-keys'
import { expect, test } from 'vitest'
import type { Log } from '../log/log.ts'
import { errorAnswer } from './error-answer.ts'

function logged(error: unknown) {
  const lines: object[] = []
  const push = (line: object) => lines.push(line)
  const log = { error: push, warn: push } as unknown as Log
  return { lines, ...errorAnswer(error, 'id', log) }
}

test('a refusal is answered with its key and not logged', () => {
  const { status, body, lines } = logged(new Refusal('user_exists'))
  expect([status, body, lines]).toEqual([409, { error: 'user_exists', requestId: 'id' }, []])
})

test('a failure with a key of its own: the answer has the key, the log the cause', () => {
  const cause = new Error('the disk is full')
  const { status, body, lines } = logged(new Refusal('reg_error', { cause }))
  expect([status, body]).toEqual([500, { error: 'reg_error', requestId: 'id' }])
  expect(lines).toEqual([{ err: cause, requestId: 'id', key: 'reg_error' }])
})

test('any other failure is answered without a word of what happened', () => {
  const { status, body, lines } = logged(new Error('select * from users'))
  expect([status, body]).toEqual([500, { error: 'server_error', requestId: 'id' }])
  expect(lines).toHaveLength(1)
})

test.each([
  ['refused', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['shut down', Object.assign(new Error('terminating connection'), { code: '57P01' })],
  ['gone', new Error('Connection terminated unexpectedly')],
  ['taken over', Object.assign(new Error('another server works on this database'), { code: 'HN009' })],
  ['no socket', Object.assign(new Error('connect'), { code: 'ENOENT', syscall: 'connect' })],
  ['wrapped', new Error('Failed query', { cause: new Error('Connection terminated') })],
  ['with a key of its own', new Refusal('reg_error', { cause: new Error('Connection terminated') })],
])('a lost database, %s -> unavailable, with the time to ask again', (_how, error) => {
  const { status, body } = logged(error)
  expect([status, body]).toEqual([503, { error: 'unavailable', data: { retryAfterS: 1 }, requestId: 'id' }])
})

test('another service that cannot be reached is not a lost database', () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(logged(new TypeError('fetch failed', { cause })).body.error).toBe('server_error')
})
