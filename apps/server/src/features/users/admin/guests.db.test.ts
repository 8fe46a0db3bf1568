import { unit } from '@hansom/domain/money/amount'
import { expect, test } from 'vitest'
import { eraseAccount } from './remove-user.ts'
import { usersScene } from './users.fixture.ts'

const scene = usersScene()
const rows = async (text: string, ...values: unknown[]) =>
  (await scene.app.database.pool.query(text, values)).rows

let numbers = 0
const newNumber = () => `+5989984${String((numbers += 1)).padStart(4, '0')}`
const command = async (uid: string, path: string, body: object = {}, by = scene.admin) => {
  const { version } = await scene.row(uid)
  return scene.call('POST', `/api/v1/users/${uid}/${path}`, by, { version, ...body })
}
/** Two admins correct the contacts of one user each, at once. */
async function correctBoth(uids: string[], contact: object) {
  const admins = [scene.admin, (await scene.user('admin')).bearer]
  return Promise.all(uids.map((uid, index) => command(uid, 'correct-contact', contact, admins[index])))
}

test('guest: approved, rejected or invited by an admin -> refused, nothing changes', async () => {
  const guest = await scene.guest('Gala Guest', newNumber())
  const before = await scene.row(guest)
  for (const [path, body] of [
    ['approve', {}],
    ['disapprove', {}],
    ['disapprove', { reason: 'a joke' }],
    ['invite', {}],
  ] as const) {
    expect((await command(guest, path, body)).status, path).toBeGreaterThanOrEqual(400)
  }
  expect(await scene.row(guest)).toEqual(before)
})

test.each(['guest', 'rider'] as const)(
  'number of a %s: two get the same at once -> one, user_exists',
  async (kind) => {
    for (let round = 0; round < 5; round++) {
      const [number, mobile] = [newNumber(), newNumber()]
      const uids =
        kind === 'guest'
          ? [await scene.guest('One', number), await scene.guest('Two', newNumber())]
          : [(await scene.user('rider')).uid, (await scene.user('rider')).uid]
      const answers = await correctBoth(uids, { mobile })
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
        error: 'user_exists',
        fields: [{ field: 'mobile', error: 'user_exists' }],
      })
    }
  },
)

test.each(['guest', 'rider'] as const)(
  'number of a %s: taken while an admin corrects it -> user_exists',
  async (kind) => {
    const mobile = newNumber()
    const uid = kind === 'guest' ? await scene.guest('One', newNumber()) : (await scene.user('rider')).uid
    const other = kind === 'guest' ? await scene.guest('Two', newNumber()) : (await scene.user('rider')).uid
    const correction = await scene.app.database.withTransaction(async (tx) => {
      await tx.client.query('update users set mobile = $2 where id = $1', [other, mobile])
      const answer = command(uid, 'correct-contact', { mobile })
      // It waits for the index entry of this transaction.
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'update "users"%'`
      await expect.poll(async () => (await rows(waiting)).length, { timeout: 10_000 }).toBe(1)
      return { answer }
    })
    expect((await correction.answer).body).toMatchObject({
      error: 'user_exists',
      fields: [{ field: 'mobile', error: 'user_exists' }],
    })
  },
)

test('email: two accounts get the same at once -> one, user_exists for the email', async () => {
  const uids = [(await scene.user('rider')).uid, (await scene.user('rider')).uid]
  const answers = await correctBoth(uids, { email: 'same@x.test' })
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    error: 'user_exists',
    fields: [{ field: 'email', error: 'user_exists' }],
  })
})

test('guest erased -> no name or number anywhere, the number is a new guest', async () => {
  const mobile = newNumber()
  const guest = await scene.guest('Esperanza Borrada', mobile)
  const booking = await scene.booking(guest, null, 'PAYMENT_PENDING')
  await rows(
    `update bookings set status = 'CANCELLED', cancelled_by = 'rider', customer_name = 'Esperanza Borrada', customer_contact = $2, customer_email = null,
      closed_at = 1 where id = $1`,
    booking,
    mobile,
  )
  await scene.call('POST', '/api/v1/wallet/credits', scene.admin, {
    uid: guest,
    amount: 5 * unit,
    reason: 'A long wait',
  })
  const remove = (giveUp?: number) =>
    scene.call('DELETE', `/api/v1/users/${guest}`, scene.admin, giveUp === undefined ? {} : { giveUp })
  expect((await remove()).body.error).toBe('open_balance')
  expect((await remove(5 * unit)).status).toBe(200)
  // The job of the deletion may have erased it already.
  await eraseAccount({ database: scene.app.database, now: () => 5 }, guest)
  expect(await scene.leftovers(['Esperanza', mobile])).toEqual([])
  expect(await scene.row(guest)).toMatchObject({
    mobile: null,
    erased_at: expect.anything(),
    wallet_balance: 0,
  })
  expect(await scene.guest('Another', mobile)).not.toBe(guest)
})

test('guest exported -> own data has profile and trips, the file of riders has the guest without an email', async () => {
  const mobile = newNumber()
  const guest = await scene.guest('Elena Exportada', mobile)
  const booking = await scene.booking(guest, null, 'PAYMENT_PENDING')
  let text = ''
  for await (const part of scene.app.services.userAdmin.ownData(guest)) text += part
  const data = JSON.parse(text)
  expect(data.profile).toMatchObject({ firstName: 'Elena', lastName: 'Exportada', mobile, email: null })
  expect(data.bookingsAsRider.map(({ id }: { id: string }) => id)).toEqual([booking])
  expect([data.sessions, data.waysToSignIn]).toEqual([[], []])
  const csv = await scene.app.server.inject({
    url: '/api/v1/exports/users?usertype=rider&guest=true',
    headers: { authorization: scene.admin },
  })
  const line = csv.body.split('\n').find((one) => one.includes('Elena'))
  expect(line).toContain('Exportada')
  expect(line).not.toContain('@')
})
