import type { Caller } from '@hansom/contract/users'
import { unit } from '@hansom/domain/money/amount'
import { adminCredit } from '@hansom/domain/wallet/user-entries'
import { expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock/clock.ts'
import { sentTo, withWork } from '../../accounts/accounts.fixture.ts'
import { takeOverGuest } from './take-over-guest.ts'
import { usersScene } from './users.fixture.ts'

const scene = usersScene()
const rows = async (text: string, ...values: unknown[]) =>
  (await scene.app.database.pool.query(text, values)).rows

let numbers = 0
/** A guest with a trip, a balance and a saved place; nothing of it belongs to the number's later accounts. */
async function guestWithTrip() {
  numbers += 1
  const mobile = `+5989981${String(numbers).padStart(4, '0')}`
  const guest = await scene.guest('María Silva', mobile)
  const booking = await scene.booking(guest, null, 'NEW')
  await scene.app.services.wallet.appendOnce([adminCredit(`c${numbers}`, guest, 40 * unit)], {
    at: 1,
    currency: 'UYU',
    by: null,
  })
  await rows(
    `insert into saved_addresses (id, user_id, description, lat, lng) values (gen_random_uuid(), $1, 'Home', 1, 1)`,
    guest,
  )
  return { guest, booking, mobile }
}

/** Registers with the guest's number; returns the account's session. */
async function registered(mobile: string, name: string) {
  const email = `${name}${numbers}@claim.test`
  const input = {
    firstName: 'María',
    lastName: 'Silva',
    email,
    phoneCode: '598',
    mobile: mobile.slice(4),
    password: 'test2026',
    usertype: 'rider',
  }
  const answer = await scene.call<{ uid: string }>('POST', '/api/v1/sign-up', null, input)
  expect(answer.status, answer.raw.body).toBe(201)
  const { uid } = answer.body
  return { uid, email, bearer: await scene.openSession(uid) }
}
const askCode = (bearer: string, mobile: string) =>
  withWork(
    async (work) =>
      (
        await scene.call('POST', '/api/v1/me/mobile', bearer, {
          phoneCode: '598',
          mobile: mobile.slice(4),
          ...work,
        })
      ).raw,
  )
const confirm = (bearer: string, verificationId: string, otp: string) =>
  scene.call('POST', '/api/v1/me/mobile/confirm', bearer, { verificationId, otp })
const tripsOf = async (bearer: string) =>
  (await scene.call<{ items: { id: string }[] }>('GET', '/api/v1/bookings', bearer)).body.items

test('guest claimed: registers with the number and enters the code -> trips, balance and places', async () => {
  const { guest, booking, mobile } = await guestWithTrip()
  const exists = await scene.call('POST', '/check_user_exists', null, { mobile })
  expect(exists.body).toMatchObject({ users: [] })
  const { uid, email, bearer } = await registered(mobile, 'maria')
  expect(await tripsOf(bearer)).toEqual([])

  const { verificationId } = (await askCode(bearer, mobile)).json()
  expect((await confirm(bearer, verificationId, '100001')).status).toBe(422)
  expect(await tripsOf(bearer)).toEqual([])
  const { code = '' } = (await sentTo(scene.app, mobile)).params
  expect((await confirm(bearer, verificationId, code)).status).toBe(200)

  expect(await rows('select id from bookings where customer = $1', uid)).toEqual([{ id: booking }])
  expect(await scene.row(uid)).toMatchObject({ wallet_balance: 40 * unit, mobile })
  expect(await scene.row(guest)).toMatchObject({ wallet_balance: 0, mobile: null, approved: false })
  expect(await rows('select customer_email from bookings where id = $1', booking)).toEqual([
    { customer_email: email },
  ])
  expect(await rows('select from saved_addresses where user_id = $1', uid)).toHaveLength(1)
  const moved = await rows(`select kind from ledger_entries where key = $1`, `guest:${guest}`)
  expect(moved).toEqual([{ kind: 'guest_taken_over' }])
})

test('guest claimed after a credit by an admin -> its reversal takes the money from the account', async () => {
  const { guest, mobile } = await guestWithTrip()
  const { adjustments } = scene.app.services.walletAdmin
  const gift = { uid: guest, amount: 10 * unit, reason: 'A long wait' }
  const credit = await adjustments.credit(scene.adminId, gift, null)
  const { uid, bearer } = await registered(mobile, 'gift')
  const { verificationId } = (await askCode(bearer, mobile)).json()
  const { code = '' } = (await sentTo(scene.app, mobile)).params
  expect((await confirm(bearer, verificationId, code)).status).toBe(200)
  expect(await scene.row(uid)).toMatchObject({ wallet_balance: 50 * unit })

  expect(await adjustments.reverse(scene.adminId, credit.id, 'typed wrong', null)).toMatchObject({ uid })
  expect(await scene.row(uid)).toMatchObject({ wallet_balance: 40 * unit })
  expect(await scene.row(guest)).toMatchObject({ wallet_balance: 0 })
})

test('guest claimed with an open payout: rejected by an admin -> the money is the account’s', async () => {
  const { guest, mobile } = await guestWithTrip()
  const { withdraws } = scene.app.services
  const payout = { uid: guest, amount: 30 * unit, bankName: 'Banco', bankCode: '1', bankAccount: '123-456' }
  const open = await withdraws.requestFor(scene.adminId, payout, null)
  const paid = await withdraws.requestFor(scene.adminId, { ...payout, amount: 2 * unit }, null)
  await withdraws.process(scene.adminId, paid.id, null)
  const { uid, bearer } = await registered(mobile, 'payout')
  const { verificationId } = (await askCode(bearer, mobile)).json()
  const { code = '' } = (await sentTo(scene.app, mobile)).params
  expect((await confirm(bearer, verificationId, code)).status).toBe(200)
  expect((await withdraws.own(uid, undefined)).items).toEqual([
    { ...paid, uid, processed: true, procesDate: expect.any(Number) },
    { ...open, uid, name: 'María Silva' },
  ])

  await withdraws.refuse(scene.adminId, open.id, 'Wrong account', null)
  expect(await scene.row(uid)).toMatchObject({ wallet_balance: 38 * unit })
  expect(await scene.row(guest)).toMatchObject({ wallet_balance: 0 })
  const told = await rows(
    `select user_id from user_notifications where title = 'notify.withdraw_refused.title' and user_id in ($1, $2)`,
    uid,
    guest,
  )
  expect(told).toEqual([{ user_id: uid }])
})

test('guest claimed: open fee and a positive balance -> the fee is the account’s and is released', async () => {
  const { guest, booking, mobile } = await guestWithTrip()
  const driver = await scene.user('driver')
  // The guest is 5 below zero after a fee; the account has 20.
  await rows('update bookings set driver = $2 where id = $1', booking, driver.uid)
  const wallet = scene.app.services.wallet
  const origin = { at: 2, currency: 'UYU', by: null }
  const fee = {
    kind: 'cancellation' as const,
    key: `fee:${booking}`,
    booking,
    legs: [
      { account: `user:${guest}` as const, amount: -45 * unit },
      { account: `user:${driver.uid}` as const, amount: 40 * unit },
      { account: `due:${booking}` as const, amount: 5 * unit },
    ],
  }
  await wallet.appendOnce([fee], origin)
  const { uid, bearer } = await registered(mobile, 'debt')
  await wallet.appendOnce([adminCredit(`own${numbers}`, uid, 20 * unit)], origin)
  const { verificationId } = (await askCode(bearer, mobile)).json()
  const { code = '' } = (await sentTo(scene.app, mobile)).params
  await confirm(bearer, verificationId, code)
  expect(await scene.row(uid)).toMatchObject({ wallet_balance: 15 * unit })
  await expect
    .poll(async () => (await scene.row(driver.uid)).wallet_balance, { timeout: 10_000 })
    .toBe(45 * unit)
  expect(await rows('select open::int from dues where rider = $1', uid)).toEqual([{ open: 0 }])
})

test('guest claimed: two accounts prove the number at once -> one wins, everything moves once', async () => {
  const { guest, booking, mobile } = await guestWithTrip()
  const codes: { bearer: string; uid: string; verificationId: string; code: string }[] = []
  for (const turn of [1, 2]) {
    const account = await scene.user('rider', { mobile: null, login_type: 'facebook' })
    const { verificationId } = (await askCode(account.bearer, mobile)).json()
    const { code = '' } = (await sentTo(scene.app, mobile, turn)).params
    codes.push({ ...account, verificationId, code })
    await rows('delete from auth_attempts')
  }
  const answers = await Promise.all(codes.map((one) => confirm(one.bearer, one.verificationId, one.code)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const [winner, loser] = answers[0]?.status === 200 ? codes : codes.toReversed()
  expect(await scene.row(winner?.uid ?? '')).toMatchObject({ wallet_balance: 40 * unit, mobile })
  expect(await scene.row(loser?.uid ?? '')).toMatchObject({ wallet_balance: 0, mobile: null })
  expect(await scene.row(guest)).toMatchObject({ wallet_balance: 0 })
  expect(await rows('select customer from bookings where id = $1', booking)).toEqual([
    { customer: winner?.uid },
  ])
})

test('callers: number in any written form -> guest and account, with places and trips', async () => {
  const { guest, mobile } = await guestWithTrip()
  await rows('delete from bookings where customer = $1', guest)
  const { uid } = await registered(mobile, 'caller')
  const local = `0${mobile.slice(4, 6)} ${mobile.slice(6, 9)} ${mobile.slice(9)}`
  for (const written of [
    mobile,
    local,
    mobile.slice(4),
    `00${mobile.slice(1)}`,
    ` ${mobile.slice(0, 6)}-${mobile.slice(6)}`,
  ]) {
    const query = new URLSearchParams({ mobile: written })
    const { status, body } = await scene.call<Caller[]>('GET', `/api/v1/callers?${query}`, scene.admin)
    expect(status, written).toBe(200)
    expect(body.map((one) => [one.uid, one.guest, one.proven])).toEqual([
      [guest, true, false],
      [uid, false, false],
    ])
    expect(body[0]).toMatchObject({
      name: 'María Silva',
      walletBalance: 40 * unit,
      places: [{ add: 'Home' }],
    })
  }
  const known = async () => {
    const { body } = await scene.call<Caller[]>(
      'GET',
      `/api/v1/callers?mobile=${mobile.slice(4)}`,
      scene.admin,
    )
    return body.map((one) => [one.uid, one.proven, one.approved])
  }
  await rows('update users set approved = false where id = $1', uid)
  expect(await known()).toEqual([[guest, false, true]])
  await rows('update users set mobile_verified_at = 1 where id = $1', uid)
  expect(await known()).toEqual([
    [uid, true, false],
    [guest, false, true],
  ])
  const unknown = await scene.call<Caller[]>('GET', '/api/v1/callers?mobile=099', scene.admin)
  expect(unknown.body).toEqual([])
})

test('guest changed by an admin: name and number -> stored; email, role, another guest’s number -> refused', async () => {
  const { guest, mobile } = await guestWithTrip()
  await rows('delete from bookings where customer = $1', guest)
  const other = await guestWithTrip()
  const change = async (path: string, body: object, method = 'POST') => {
    const { version } = await scene.row(guest)
    return scene.call(method, `/api/v1/users/${guest}${path}`, scene.admin, { version, ...body })
  }
  const renamed = await change('', { firstName: 'Marta' }, 'PATCH')
  expect(renamed.body).toMatchObject({ firstName: 'Marta', guest: true })
  const moved = `+59899829${String(numbers).padStart(3, '0')}`
  expect((await change('/correct-contact', { mobile: moved })).body).toMatchObject({ mobile: moved })
  expect((await change('/correct-contact', { email: 'g@x.test' })).status).toBe(400)
  expect((await change('/correct-contact', { mobile: null })).status).toBe(400)
  const taken = await change('/correct-contact', { mobile: other.mobile })
  expect(taken.body).toMatchObject({ error: 'user_exists' })
  expect((await change('/change-type', { usertype: 'driver' })).status).toBe(400)
  expect(await rows(`select from outbox_messages where "to" in ($1, $2)`, mobile, moved)).toEqual([])
})

test('guest to be added while an account proves the number -> waits, and is not added', async () => {
  const { users, settings, wallet } = scene.app.services
  const mobile = '+59899830001'
  const { uid } = await registered(mobile, 'proving')
  const guest = await users.findCaller({ name: 'Ana', mobile })
  if (typeof guest === 'string') throw new Error('found')
  const by = { id: scene.adminId, role: 'admin', approved: true } as const
  const deps = { clock: systemClock, outbox: { write: async () => {} }, settings, wallet }
  let adding: Promise<boolean> | undefined
  await scene.app.database.withTransaction(async (tx) => {
    await tx.client.query('update users set mobile_verified_at = 1 where id = $1', [uid])
    await takeOverGuest(deps, tx, uid)
    adding = scene.app.database.withTransaction((other) => users.addGuest(other, by, guest))
    const waiting = () => rows(`select from pg_locks where locktype = 'advisory' and not granted`)
    await expect.poll(waiting).toHaveLength(1)
  })
  expect(await adding).toBe(false)
  expect(await rows('select id from users where mobile = $1', mobile)).toEqual([{ id: uid }])
  expect(await users.findCaller({ name: 'Ana', mobile })).toBe(uid)
})

test('guest claimed: an admin books for the number at the same moment -> the trip is the account’s', async () => {
  const { mobile } = await guestWithTrip()
  const { uid, bearer } = await registered(mobile, 'race')
  const { verificationId } = (await askCode(bearer, mobile)).json()
  const { code = '' } = (await sentTo(scene.app, mobile)).params
  const by = { id: scene.adminId, role: 'admin', approved: true } as const
  const { carType } = await scene.aCity()
  const book = (hours: number) =>
    scene.app.services.bookingsFeature.bookings.create(
      by,
      {
        pickup: { lat: -34.905, lng: -56.19, add: 'A' },
        drop: { lat: -34.88, lng: -56.15, add: 'B' },
        car_type_id: carType,
        bookLater: true,
        payment_mode: 'cash',
        tripdate: Date.now() + hours * 3_600_000,
        guest: { name: 'María', mobile },
      },
      null,
    )
  await Promise.all([confirm(bearer, verificationId, code), ...[2, 3, 4, 5, 6, 7].map(book)])
  await book(8)
  expect(await rows('select from bookings where customer = $1', uid)).toHaveLength(8)
  const others = await rows('select id from users where mobile = $1', mobile)
  expect(others).toEqual([{ id: uid }])
})
