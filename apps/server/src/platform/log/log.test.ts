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

describe('the log', () => {
  test.each([
    { password: 'hunter2' },
    { user: { otp: '54321', pushToken: 'abc' } },
    { req: { headers: { authorization: 'Bearer x', cookie: 'session=1' } } },
    { res: { headers: { 'set-cookie': 'session=1' } } },
  ])('hides what opens a door: %j', (fields) => {
    const { log, written } = lines(false)
    log.info(fields, 'told')
    expect(written[0]).toContain('[hidden]')
    expect(written[0]).not.toMatch(/hunter2|54321|abc|Bearer|session/)
  })

  test('tells a failed query without its parameters, with the code', () => {
    const { log, written } = lines(false)
    const cause = Object.assign(new Error('duplicate key'), { code: '23505' })
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

  test('is one line a person can read', () => {
    const { log, written } = lines(true)
    log.warn({ port: 8080, where: 'here' }, 'the port is busy')
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}the port is busy port=8080 where=here\n$/)
  })

  test('shows the stack of an error', () => {
    const { log, written } = lines(true)
    log.error({ err: new Error('broken') }, 'stopped')
    expect(written[0]).toMatch(/error stopped\n {2}Error: broken\n/)
  })
})
