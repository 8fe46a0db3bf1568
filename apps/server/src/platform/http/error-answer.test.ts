import { Refusal } from '@hansom/domain/error-keys'
import { expect, test } from 'vitest'
import type { Log } from '../log/log.ts'
import { errorAnswer } from './error-answer.ts'

function logged(error: unknown) {
  const lines: object[] = []
  const log = { error: (line: object) => lines.push(line) } as unknown as Log
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
