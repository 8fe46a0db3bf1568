import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testPassword } from '../../../test-app.ts'
import { usersScene } from './users.fixture.ts'

const scene = usersScene()
const { user, call, row } = scene
let app: TestApp
let admin: string
beforeAll(() => void ({ app, admin } = scene))

interface Sent {
  kind: string
  subject: string
  text: string
}

/** The emails to an address, oldest first. */
const mailsTo = async (email: string) =>
  (
    await app.database.pool.query<Sent>(
      'select kind, subject, text from outbox_messages where "to" = $1 order by at, id',
      [email],
    )
  ).rows

const bellOf = async (uid: string) =>
  (await app.database.pool.query('select title, params from user_notifications where user_id = $1', [uid]))
    .rows

test('approve: waiting user -> told once, in their language, by email and in the list', async () => {
  const { uid, email } = await user('driver', { approved: false, locale: 'ar' })
  const url = `/api/v1/users/${uid}/approve`
  expect((await call('POST', url, admin, {})).body).toMatchObject({ approved: true, rejection: null })
  expect((await call('POST', url, admin, {})).status).toBe(200)
  await expect.poll(() => mailsTo(email)).toHaveLength(1)
  const [mail] = await mailsTo(email)
  expect(mail?.kind).toBe('account_approved')
  expect(mail?.subject).toContain('تمت الموافقة على حسابك')
  expect(mail?.text).toContain('/login')
  expect(await bellOf(uid)).toEqual([{ title: 'notify.account_approved.title', params: {} }])
})

test('disapprove: reason given -> rejected and told why; approved later -> the reason is gone', async () => {
  const { uid, email } = await user('driver', { approved: false })
  const reason = 'The licence has expired.'
  const rejected = await call('POST', `/api/v1/users/${uid}/disapprove`, admin, { reason: ` ${reason} ` })
  expect(rejected.body).toMatchObject({ approved: false, rejection: reason })
  expect(rejected.body.commands).toContain('approve')
  expect(rejected.body.commands).not.toContain('disapprove')
  await expect.poll(() => mailsTo(email)).toHaveLength(1)
  expect((await mailsTo(email))[0]?.text).toContain(reason)
  expect(await bellOf(uid)).toEqual([{ title: 'notify.account_rejected.title', params: { reason } }])
  const { rows } = await app.database.pool.query(
    `select after from audit_log where subject = $1 and action = 'users.disapprove'`,
    [uid],
  )
  expect(rows).toEqual([{ after: { rejection: reason } }])
  expect((await call('POST', `/api/v1/users/${uid}/approve`, admin, {})).body.rejection).toBeNull()
})

test('disapprove: no reason -> signed out and waiting, nothing sent', async () => {
  const { uid, email } = await user('rider')
  const waiting = await call('POST', `/api/v1/users/${uid}/disapprove`, admin, {})
  expect(waiting.body).toMatchObject({ approved: false, rejection: null })
  expect(await mailsTo(email)).toEqual([])
  expect(await bellOf(uid)).toEqual([])
})

test.each([
  ['approve', 'disapprove'],
  ['disapprove', 'disapprove'],
  ['approve', 'approve'],
])('two admins decide at once: %s and %s -> one decides, one email', async (first, second) => {
  const { uid, email } = await user('driver', { approved: false })
  const other = await user('admin')
  const { version } = (await call('GET', `/api/v1/users/${uid}`, admin)).body
  const decide = (bearer: string, command: string, reason: string) =>
    call('POST', `/api/v1/users/${uid}/${command}`, bearer, {
      version,
      ...(command === 'disapprove' ? { reason } : {}),
    })
  const both = await Promise.all([
    decide(admin, first, 'No licence.'),
    decide(other.bearer, second, 'Wrong car.'),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)?.body.error).toBe('conflict')
  expect((await row(uid)).version).toBe(version + 1)
  await expect.poll(() => mailsTo(email)).toHaveLength(1)
  expect(await bellOf(uid)).toHaveLength(1)
})

test('list: approval filter -> waiting, approved and rejected users apart', async () => {
  const reason = 'No.'
  const waiting = await user('driver', { approved: false, firstName: 'Zoltan' })
  const rejected = await user('driver', { approved: false, rejection: reason, firstName: 'Zoltan' })
  const approved = await user('driver', { firstName: 'Zoltan' })
  type Page = { items: { uid: string }[] }
  const found = async (approval: string) => {
    const url = `/api/v1/users?q=zoltan&sort=createdAt&approval=${approval}`
    return (await call<Page>('GET', url, admin)).body.items.map(({ uid }) => uid).sort()
  }
  expect(await found('waiting')).toEqual([waiting.uid])
  expect(await found('rejected')).toEqual([rejected.uid])
  expect(await found('approved')).toEqual([approved.uid])
  expect(await found('waiting,rejected')).toEqual([waiting.uid, rejected.uid].sort())
})

test('sign-in of a rejected user -> the reason, but only with the correct password', async () => {
  const reason = 'The licence has expired.'
  const { email } = await user('driver', { approved: false, rejection: reason })
  const signIn = (password: string) => call('POST', '/api/auth/sign-in/email', null, { email, password })
  const right = await signIn(testPassword)
  expect(right).toMatchObject({ status: 403, body: { error: 'account_rejected', data: { reason } } })
  expect(right.raw.headers['set-cookie']).toBeUndefined()
  const wrong = await signIn('guessing')
  expect(wrong).toMatchObject({ status: 401, body: { error: 'login_error' } })
  expect(wrong.raw.body).not.toContain('licence')
})
