import { hostname } from 'node:os'
import { DatabaseError } from 'pg'
import { describe, expect, test } from 'vitest'
import { createLog } from './log.ts'

function lines(readable: boolean) {
  const written: string[] = []
  const log = createLog({
    level: 'info',
    readable,
    destination: { write: (line) => void written.push(line) },
  })
  return { log, written }
}

const failedQuery = (cause: Error) =>
  Object.assign(new Error('Failed query\nparams: hunter2', { cause }), {
    query: 'insert',
    params: ['hunter2'],
  })

describe('log', () => {
  test.each([
    { password: 'hunter2' },
    { user: { otp: '54321', pushToken: 'abc' } },
    { req: { headers: { authorization: 'Bearer x', cookie: 'session=1' } } },
    { res: { headers: { 'set-cookie': 'session=1' } } },
  ])('secret in %j -> hidden', (fields) => {
    const { log, written } = lines(false)
    log.info(fields, 'message')
    expect(written[0]).toContain('[hidden]')
    expect(written[0]).not.toMatch(/hunter2|54321|abc|Bearer|session/)
  })

  test('line of production -> names the server', () => {
    const { log, written } = lines(false)
    log.info('message')
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ pid: process.pid, host: hostname() })
  })

  test('failed query -> code, no parameters', () => {
    const { log, written } = lines(false)
    const cause = Object.assign(new DatabaseError('duplicate key', 100, 'error'), { code: '23505' })
    const failed = Object.assign(new Error('Failed query\nparams: hunter2', { cause }), {
      query: 'insert',
      params: ['hunter2'],
    })
    log.error({ err: failed }, 'not stored')
    expect(written[0]).not.toContain('hunter2')
    expect(JSON.parse(written[0] ?? '')).toMatchObject({
      err: { code: '23505', message: 'duplicate key', query: 'insert' },
    })
  })

  test.each([
    ['alone', (refused: Error) => refused],
    ['inside a failed query', (cause: Error) => failedQuery(cause)],
    ['inside one of our errors', (cause: Error) => new Error('not stored', { cause: failedQuery(cause) })],
  ])('database error, %s -> constraint and column, no row values', (_where, wrapped) => {
    const { log, written } = lines(false)
    const refused = Object.assign(new DatabaseError('null value in column', 100, 'error'), {
      code: '23502',
      detail: 'Failing row contains (1, Ana, ana@home.test, +59899123456).',
      where: 'COPY users, line 1: "ana@home.test"',
      table: 'users',
      column: 'first_name',
      constraint: 'users_first_name',
    })
    log.error({ err: wrapped(refused) }, 'not stored')
    expect(written[0]).not.toMatch(/ana@home|hunter2/)
    expect(JSON.parse(written[0] ?? '').err).toMatchObject({
      message: expect.stringContaining('null value in column'),
      stack: expect.stringContaining('log.test.ts'),
      code: '23502',
      table: 'users',
      column: 'first_name',
      constraint: 'users_first_name',
    })
  })

  test('value the database cannot parse -> message without the value', () => {
    const { log, written } = lines(true)
    const message = 'invalid input syntax for type uuid: "ana@home.test"'
    log.error({ err: Object.assign(new DatabaseError(message, 1, 'error'), { code: '22P02' }) }, 'not read')
    expect(written[0]).toContain('invalid input syntax for type uuid: "…"')
    expect(written[0]).not.toContain('ana@home')
  })

  test('other error -> its fields are kept', () => {
    const { log, written } = lines(false)
    log.error({ err: Object.assign(new Error('no such file'), { code: 'ENOENT', path: '/x' }) }, 'not read')
    expect(JSON.parse(written[0] ?? '').err).toMatchObject({ code: 'ENOENT', path: '/x' })
  })

  test('readable: text from outside with line breaks and terminal codes -> quoted, on its line', () => {
    const { log, written } = lines(true)
    log.warn({ message: 'x\n12:00:00 error forged\u001b[2J' }, 'page failed')
    expect(written[0]).toMatch(
      /^\d\d:\d\d:\d\d warn {2}page failed message="x\\n12:00:00 error forged\\u001b\[2J"\n$/,
    )
  })

  test('readable -> one line with the fields', () => {
    const { log, written } = lines(true)
    log.warn({ port: 8080, where: 'here' }, 'the port is busy')
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}the port is busy port=8080 where=here\n$/)
  })

  test('error -> stack shown', () => {
    const { log, written } = lines(true)
    log.error({ err: new Error('broken') }, 'stopped')
    expect(written[0]).toMatch(/error stopped\n {2}Error: broken\n/)
  })
})
