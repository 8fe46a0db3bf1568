import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '@hansom/domain/settings/settings'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { embeddedStorage } from '../../adapters/storage/embedded.ts'
import { gradient } from '../../adapters/storage/port.suite.ts'
import { parseStoredPath, type Storage } from '../../adapters/storage/port.ts'
import { createSignedLinks } from '../../adapters/storage/signed-links.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { usersTable } from '../users/table.ts'
import { outcome, poster, sentTo, tokenIn } from './accounts.fixture.ts'
import { authUploadsTable } from './table.ts'
import { maxHeldUploads } from './uploads.ts'

let app: TestApp
let number = 0
let storage: Storage
beforeAll(async () => {
  const links = createSignedLinks({ secret: 'only for tests', now: Date.now })
  storage = await embeddedStorage({ dataDir: await mkdtemp(join(tmpdir(), 'hansom-licence-')), links })
  app = await createTestApp({ storage })
  await app.start()
  await app.database.pool.query(
    `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
       convenience_fee_type, created_at)
     values (gen_random_uuid(), 'Comfort', 1, 1, 1, 1, 1, 'flat', 1)`,
  )
})
afterAll(() => app.close())

const post = poster(() => app)
const person = () => {
  number += 1
  return {
    firstName: 'Ana Lucía',
    lastName: 'Sosa',
    email: `ana${number}@x.test`,
    password: 'abc123',
    phoneCode: '598',
    mobile: `9912${String(number).padStart(4, '0')}`,
  }
}
/** Each from its own IP address unless given. */
const signUp = (payload: object, from = `10.2.${number >> 8}.${number & 255}`) =>
  post('/api/v1/sign-up', payload, { from })
const row = async (uid: string) => {
  const [found] = await app.database.db.select().from(usersTable).where(eq(usersTable.id, uid))
  return found
}
const set = (changes: Partial<Settings>) =>
  app.database.withTransaction(async (tx) => void (await app.services.settings.update(tx, changes)))

const upload = (image: Uint8Array | string, from = '10.3.0.1', name = 'image') => {
  const boundary = 'a-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="l.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`
  return app.server.inject({
    method: 'POST',
    url: '/api/v1/uploads/licence',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(image), Buffer.from(`\r\n--${boundary}--\r\n`)]),
    remoteAddress: from,
  })
}

test('sign up: rider -> approved, can sign in', async () => {
  const given = person()
  const answer = await signUp({ ...given, firstName: ' Ana Lucía ' })
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toEqual({ uid: expect.any(String), approved: true, emailToVerify: false })
  const made = await row(answer.json().uid)
  expect(made).toMatchObject({
    firstName: 'Ana Lucía',
    email: given.email,
    mobile: `+598${given.mobile}`,
    usertype: 'rider',
    approved: true,
    loginType: 'email',
    walletBalance: 0,
    bankName: null,
    signupViaReferral: null,
    createdByAdmin: false,
  })
  expect(made?.referralId).toMatch(/^analucía[1-9]\d{3}$/)
  const { email, password } = given
  expect((await post('/api/auth/sign-in/email', { email, password })).statusCode).toBe(200)
})

test.each([
  [{ firstName: '  ' }, 400, 'proper_input_name'],
  [{ lastName: undefined }, 400, 'proper_input_name'],
  [{ email: 'nonsense' }, 400, 'proper_email'],
  [{ password: 'short' }, 400, 'password_alphaNumeric_check'],
  [{ mobile: '12345' }, 400, 'mobile_no_blank_error'],
  [{ mobile: '+99123456' }, 400, 'mobile_no_blank_error'],
  [{ phoneCode: '' }, 400, 'mobile_no_blank_error'],
  [{ referralId: 'unknown1234' }, 404, 'referer_not_found'],
  [{ usertype: 'admin' }, 400, 'invalid_input'],
  [{ usertype: 'fleetadmin' }, 400, 'invalid_input'],
  [{ approved: true }, 400, 'invalid_input'],
  [{ walletBalance: 1_000_000 }, 400, 'invalid_input'],
  [{ fleetadmin: '0198c0de-0000-7000-8000-000000000000' }, 400, 'invalid_input'],
  [{ id: '0198c0de-0000-7000-8000-000000000000' }, 400, 'invalid_input'],
])('sign up: invalid %j -> refused, no account', async (change, status, key) => {
  const given = person()
  expect(outcome(await signUp({ ...given, ...change }))).toEqual([status, key])
  const found = await app.database.db.select().from(usersTable).where(eq(usersTable.email, given.email))
  expect(found).toEqual([])
})

test('sign up: taken email or mobile, in any case -> user_exists', async () => {
  const first = person()
  await signUp(first)
  const sameMail = await signUp({ ...person(), email: first.email.toUpperCase() })
  expect(outcome(sameMail)).toEqual([409, 'user_exists'])
  expect(sameMail.json().fields).toEqual([{ field: 'email', error: 'user_exists' }])
  const samePhone = await signUp({ ...person(), mobile: first.mobile })
  expect(samePhone.json().fields).toEqual([{ field: 'mobile', error: 'user_exists' }])
})

test('sign up: mobile in any notation -> stored once, as E.164', async () => {
  const given = person()
  const digits = given.mobile
  const spaced = `0${digits.slice(0, 2)} ${digits.slice(2, 5)}-${digits.slice(5)}`
  const { uid } = (await signUp({ ...given, mobile: spaced })).json()
  expect((await row(uid))?.mobile).toBe(`+598${digits}`)
  for (const mobile of [digits, `+598 ${digits}`, `00598${digits}`]) {
    expect(outcome(await signUp({ ...person(), mobile })), mobile).toEqual([409, 'user_exists'])
    const asked = await post('/check_user_exists', { mobile }, { from: '10.2.250.1' })
    expect(asked.json(), mobile).toEqual({ users: [{ field: 'mobile' }] })
  }
  const regData = { ...asRegistration(person()), mobile: `+5980${digits}` }
  expect(outcome(await post('/user_signup', { regData }))).toEqual([409, 'user_exists'])
})

test('sign up: many concurrent with one email -> one account', async () => {
  const given = person()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      signUp({ ...given, mobile: `9955${1000 + index}` }, `10.4.0.${index}`),
    ),
  )
  const codes = answers.map((answer) => answer.statusCode).sort()
  expect(codes).toEqual([201, ...Array(19).fill(409)])
  expect(answers.every((answer) => answer.statusCode === 201 || answer.json().error === 'user_exists')).toBe(
    true,
  )
  const { rows } = await app.database.pool.query(
    'select count(*)::int as n from users u join auth_users a on a.id = u.id join auth_accounts c on c.user_id = u.id where u.email = $1',
    [given.email],
  )
  expect(rows[0].n).toBe(1)
})

test('sign up: referral id -> referrer is stored', async () => {
  const referrer = (await signUp(person())).json().uid as string
  const code = (await row(referrer))?.referralId ?? ''
  const found = await post('/validate_referrer', { referralId: code.toUpperCase() })
  expect([found.statusCode, found.json()]).toEqual([200, { uid: referrer }])
  expect(outcome(await post('/validate_referrer', { referralId: 'x' }))).toEqual([404, 'referer_not_found'])
  const newcomer = (await signUp({ ...person(), referralId: ` ${code} ` })).json().uid as string
  expect((await row(newcomer))?.signupViaReferral).toBe(referrer)
})

test('sign up: referrer deleted meanwhile -> referer_not_found, by id and by uid', async () => {
  const uid = (await signUp(person())).json().uid as string
  const referralId = (await row(uid))?.referralId ?? ''
  await app.database.pool.query('update users set deleted_at = 1, approved = false where id = $1', [uid])
  const regData = { ...asRegistration(person()), signupViaReferral: uid }
  expect(outcome(await post('/user_signup', { regData }))).toEqual([404, 'referer_not_found'])
  expect(outcome(await signUp({ ...person(), referralId }))).toEqual([404, 'referer_not_found'])
})

test('sign up: car type removed and added again in another case -> the current one', async () => {
  const add = async (name: string, archivedAt: number | null) => {
    const { rows } = await app.database.pool.query<{ id: string }>(
      `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
         convenience_fee_type, created_at, archived_at)
       values (gen_random_uuid(), $1, 1, 1, 1, 1, 1, 'flat', 1, $2) returning id`,
      [name, archivedAt],
    )
    return rows[0]?.id
  }
  await add('Economy', 1)
  const present = await add('Economy', null)
  await add('Removed', 1)
  const driver = (carType: string) => ({ ...asRegistration(person()), usertype: 'driver', carType })
  const made = await post('/user_signup', { regData: driver('economy') })
  expect((await row(made.json().uid))?.car_type_id).toBe(present)
  expect(outcome(await post('/user_signup', { regData: driver('Removed') }))).toEqual([400, 'invalid_input'])
})

test('sign up: bank details -> stored only where both settings ask for them', async () => {
  const bank = { bankName: 'Bank', bankCode: 'BK', bankAccount: '1' }
  await set({ bank_fields: true, RiderWithDraw: false })
  expect(await row((await signUp({ ...person(), ...bank })).json().uid)).toMatchObject({ bankName: null })
  await set({ bank_fields: true, RiderWithDraw: true })
  expect(await row((await signUp({ ...person(), ...bank })).json().uid)).toMatchObject(bank)
  await set({ bank_fields: false, RiderWithDraw: false })
})

test('sign up: driver with vehicle and licence -> waits for approval where it is on', async () => {
  const vehicle = { vehicleMake: 'Fiat', vehicleModel: 'Uno', vehicleNumber: 'SAB 1234', carType: 'Comfort' }
  const driver = () => ({ ...person(), ...vehicle, usertype: 'driver' })
  const without = await signUp(driver())
  expect(without.json()).toMatchObject({
    error: 'invalid_input',
    fields: [{ field: 'licenseImage', error: 'required' }],
  })
  const picture = await (await gradient(60, 30))
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .toBuffer()
  const sent = await upload(picture)
  expect(sent.statusCode).toBe(201)
  const licenseImage = sent.json().uploadId as string
  const given = { ...driver(), licenseImage }
  const answer = await signUp(given)
  expect(answer.json()).toMatchObject({ approved: false })
  const made = await row(answer.json().uid)
  expect(made).toMatchObject({
    usertype: 'driver',
    approved: false,
    driverActiveStatus: false,
    vehicleNumber: 'SAB 1234',
    car_type_id: expect.any(String),
  })
  expect(made?.licenseImage).toMatch(new RegExp(`^users/${made?.id}/driverDocuments/\\d{13}$`))
  const path = parseStoredPath(made?.licenseImage ?? '')
  const file = path === null ? null : await storage.get(path)
  expect(file?.contentType).toBe('image/webp')
  expect(Buffer.from(file?.bytes ?? []).includes('secret place')).toBe(false)
  expect(await app.database.db.select().from(authUploadsTable)).toEqual([])
  expect(outcome(await signUp({ ...driver(), licenseImage }))).toEqual([400, 'invalid_input'])
  expect(outcome(await signUp({ ...driver(), licenseImage: 'x', carType: 'None' }))).toEqual([
    400,
    'invalid_input',
  ])

  await set({ driver_approval: false })
  const again = (await upload(picture)).json().uploadId
  expect((await signUp({ ...driver(), licenseImage: again })).json()).toMatchObject({ approved: true })
  await set({ driver_approval: true })
})

test('upload: no picture, none at all or too large -> refused', async () => {
  expect(outcome(await upload('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual([
    415,
    'unsupported_media',
  ])
  expect(outcome(await upload('x', '10.3.0.2', 'other'))).toEqual([400, 'invalid_input'])
  expect(outcome(await upload(Buffer.alloc(9 * 1024 * 1024)))).toEqual([413, 'too_large'])
  const json = await post('/api/v1/uploads/licence', { image: 'x' })
  expect(outcome(json)).toEqual([415, 'unsupported_media'])
})

test('upload: not claimed within an hour -> deleted', async () => {
  const picture = await (await gradient(8, 8)).png().toBuffer()
  const { uploadId } = (await upload(picture, '10.3.0.9')).json()
  await app.database.db.update(authUploadsTable).set({ expires_at: 1 })
  const given = { ...person(), usertype: 'driver', licenseImage: uploadId }
  const refused = await post('/user_signup', { regData: { ...asRegistration(given) } })
  expect(outcome(refused)).toEqual([400, 'invalid_input'])
  await app.services.accounts.uploads.purge()
  expect(await app.database.db.select().from(authUploadsTable)).toEqual([])
})

const asRegistration = ({ phoneCode, mobile, ...rest }: { phoneCode: string; mobile: string }) => ({
  ...rest,
  mobile: `+${phoneCode}${mobile}`,
})

test('sign up: many from a shared address -> only refusals count against it', async () => {
  const from = '10.8.0.1'
  expect((await signUp(person(), from)).statusCode).toBe(201)
  await app.database.pool.query('update auth_attempts set count = 29 where count = 0')
  const taken = person()
  expect((await signUp(taken, from)).statusCode).toBe(201)
  expect((await signUp(person(), from)).statusCode).toBe(201)
  expect(outcome(await signUp(taken, from))).toEqual([409, 'user_exists'])
  expect(outcome(await signUp(person(), from))).toEqual([429, 'too_many_requests'])
})

/** Runs `work` while a part of the database is renamed away. */
async function without(part: string, work: () => Promise<void>): Promise<void> {
  const { pool } = app.database
  const [table, column] = part.split('.')
  const rename = (from: string, to: string) =>
    column === undefined
      ? pool.query(`alter table ${from} rename to ${to}`)
      : pool.query(`alter table ${table} rename column ${from} to ${to}`)
  await rename(column ?? part, 'elsewhere')
  try {
    await work()
  } finally {
    await rename('elsewhere', column ?? part)
  }
}

test('sign up: checks or creation fail -> the sign-up error keys', async () => {
  await app.addUser({ email: 'office@x.test', usertype: 'admin' })
  const authorization = await app.bearer('office@x.test')
  await without('users.mobile', async () => {
    const issue = [503, 'email_or_mobile_issue']
    expect(outcome(await signUp(person()))).toEqual(issue)
    expect(outcome(await post('/check_user_exists', { email: 'a@b.co' }, { from: '10.6.0.2' }))).toEqual(
      issue,
    )
    const { firstName, lastName, email } = person()
    const added = { firstName, lastName, email, usertype: 'rider' }
    expect(outcome(await post('/api/v1/users', added, { headers: { authorization } }))).toEqual(issue)
  })
  const given = person()
  await without('auth_accounts', async () => {
    expect(outcome(await signUp(given))).toEqual([500, 'reg_error'])
    const regData = asRegistration(given)
    const answer = await post('/user_signup', { regData }, { from: '10.5.0.2' })
    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { error: 'reg_error', requestId: expect.any(String) },
    ])
  })
  expect((await signUp(given)).statusCode).toBe(201)
})

test('/user_signup: full phone number -> the same account', async () => {
  const referrer = (await signUp(person())).json().uid as string
  const given = { ...asRegistration(person()), createdAt: 1, signupViaReferral: referrer }
  const answer = await post('/user_signup', { regData: given }, { from: '10.5.0.1' })
  expect([answer.statusCode, answer.json()]).toEqual([200, { uid: expect.any(String) }])
  const made = await row(answer.json().uid)
  expect(made).toMatchObject({ mobile: given.mobile, signupViaReferral: referrer, approved: true })
  expect(made?.createdAt).toBeGreaterThan(1)
  expect(outcome(await post('/user_signup', { regData: given }))).toEqual([409, 'user_exists'])
  for (const change of [{ approved: true }, { usertype: 'admin' }, { walletBalance: 5 }]) {
    const regData = { ...asRegistration(person()), ...change }
    expect(outcome(await post('/user_signup', { regData }))).toEqual([400, 'invalid_input'])
  }
  const driver = await post('/user_signup', { regData: { ...asRegistration(person()), usertype: 'driver' } })
  expect(await row(driver.json().uid)).toMatchObject({ usertype: 'driver', approved: false })
})

test('sign up: email must be verified -> link sent, and only it allows sign-in', async () => {
  await set({ email_verify: true })
  const given = person()
  const answer = await signUp(given)
  expect(answer.json()).toMatchObject({ approved: true, emailToVerify: true })
  const signIn = () => post('/api/auth/sign-in/email', { email: given.email, password: given.password })
  const message = await sentTo(app, given.email)
  expect([message.channel, message.kind, message.subject]).toEqual([
    'mail',
    'verify_email',
    'Confirm your email for Hansom',
  ])
  const refused = await signIn()
  expect(outcome(refused)).toEqual([403, 'email_verify_message'])
  expect(refused.headers['set-cookie']).toBeUndefined()
  await sentTo(app, given.email, 2)
  const token = tokenIn(message)
  const opened = await Promise.all(Array.from({ length: 5 }, () => post('/api/v1/email/verify', { token })))
  expect(opened.map((one) => one.statusCode).sort()).toEqual([200, 410, 410, 410, 410])
  expect((await signIn()).statusCode).toBe(200)
  await set({ email_verify: false })
})

test('licence images: storage limit reached -> unavailable until some are purged', async () => {
  const { pool } = app.database
  const waiting = (expiresIn: number) =>
    pool.query(
      `insert into auth_uploads (id_hash, image, content_type, expires_at)
        select 'filling ' || n, '', 'image/webp', $1 from generate_series(1, ${maxHeldUploads}) n`,
      [Date.now() + expiresIn],
    )
  const picture = await (await gradient(8, 8)).png().toBuffer()
  await waiting(60_000)
  const refused = await upload(picture, '10.3.7.1')
  expect([refused.statusCode, refused.json().error]).toEqual([503, 'unavailable'])
  await pool.query('update auth_uploads set expires_at = $1', [Date.now() - 1])
  expect((await upload(picture, '10.3.7.1')).statusCode).toBe(201)
  await app.services.accounts.uploads.purge()
})
