import { Refusal } from '@hansom/domain/error-keys'
import { expect, test } from 'vitest'
import { markDatabaseError } from '../database/postgres-errors.ts'
import type { Log } from '../log/log.ts'
import { errorResponse } from './error-response.ts'

function logged(error: unknown) {
  const lines: object[] = []
  const push = (line: object) => lines.push(line)
  const log = { error: push, warn: push } as unknown as Log
  return { lines, ...errorResponse(error, 'id', log) }
}

test('errorAnswer: refusal -> its key, not logged', () => {
  const { status, body, lines } = logged(new Refusal('user_exists'))
  expect([status, body, lines]).toEqual([409, { error: 'user_exists', requestId: 'id' }, []])
})

test('errorAnswer: refusal with a cause -> its key, cause logged', () => {
  const cause = new Error('the disk is full')
  const { status, body, lines } = logged(new Refusal('reg_error', { cause }))
  expect([status, body]).toEqual([500, { error: 'reg_error', requestId: 'id' }])
  expect(lines).toEqual([{ err: cause, requestId: 'id', key: 'reg_error' }])
})

test('errorAnswer: other error -> server_error without details', () => {
  const { status, body, lines } = logged(new Error('select * from users'))
  expect([status, body]).toEqual([500, { error: 'server_error', requestId: 'id' }])
  expect(lines).toHaveLength(1)
})

const lost = (message: string, fields: object = {}) =>
  markDatabaseError(Object.assign(new Error(message), fields))

test.each([
  ['refused', lost('connect', { code: 'ECONNREFUSED' })],
  ['shut down', lost('terminating connection', { code: '57P01' })],
  ['gone', lost('Connection terminated unexpectedly')],
  ['taken over', lost('another server is using this database', { code: 'HN009' })],
  ['no socket', lost('connect', { code: 'ENOENT', syscall: 'connect' })],
  ['wrapped', new Error('Failed query', { cause: lost('Connection terminated') })],
  ['with a key of its own', new Refusal('reg_error', { cause: lost('Connection terminated') })],
])('lost database, %s -> unavailable with a retry time', (_how, error) => {
  const { status, body } = logged(error)
  expect([status, body]).toEqual([503, { error: 'unavailable', data: { retryAfterS: 1 }, requestId: 'id' }])
})

const failed = (message: string, code: string, syscall: string) =>
  Object.assign(new Error(message), { code, syscall })

test.each([
  ['refused', new TypeError('fetch failed', { cause: failed('connect', 'ECONNREFUSED', 'connect') })],
  ['reset', failed('read ECONNRESET', 'ECONNRESET', 'read')],
  ['reset while a mail was sent', new Error('not sent', { cause: failed('write', 'EPIPE', 'write') })],
  ['unknown host', failed('getaddrinfo ENOTFOUND', 'ENOTFOUND', 'getaddrinfo')],
  ['closed', new Error('Connection terminated')],
])('other service, %s -> server_error', (_how, error) => {
  expect(logged(error).body.error).toBe('server_error')
})
