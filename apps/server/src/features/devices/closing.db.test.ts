import { setTimeout as wait } from 'node:timers/promises'
import type { ShowMessage } from '@hansom/domain/devices/web-message'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { bookingChanged } from '../bookings/booking-changed-event.ts'
import { closed, deliveryScene, notice, openTags, type Person } from './delivery.fixture.ts'

/** For a busy machine. */
const patience = { timeout: 20_000 }

const scene = deliveryScene()
const { person, browserOf, notify, senderWith, deliverAll, waiting } = scene

describe('closing', () => {
  test('read on one device -> closed on the others that show it', async () => {
    const rider = await person()
    const reading = await browserOf(rider, { bearer: rider.bearer })
    const other = await browserOf(rider)
    await notify(notice(rider, 'accepted'))
    await deliverAll()
    const late = await browserOf(rider)
    const headers = { authorization: rider.bearer }
    await scene.app.server.inject({
      method: 'POST',
      url: '/api/v1/me/notifications/read',
      headers,
      payload: {},
    })
    await deliverAll()
    const tag = (other.received[0]?.content as ShowMessage | undefined)?.notification.tag
    expect(closed(other)).toEqual([{ close: { tags: [tag] } }])
    // The same topic replaces a message that waits at the push service.
    expect(other.received[1]?.headers.topic).toBe(other.received[0]?.headers.topic)
    expect([closed(reading), closed(late)]).toEqual([[], []])
  })

  test.each(['shown', 'waiting'])(
    'second message of a chat %s, the listed first one read elsewhere -> closed',
    async (state) => {
      const rider = await person()
      const other = await browserOf(rider)
      const first = notice(rider, 'chat_message', { booking: uuidv7(), screen: 'onlineChat' })
      await notify(first)
      if (state === 'shown') await deliverAll()
      await scene.app.database.withTransaction((tx) =>
        scene.app.services.devices.announce(tx, [
          { ...first, params: first.params ?? {}, booking_id: first.booking_id ?? null },
        ]),
      )
      if (state === 'shown') await deliverAll()
      await scene.app.server.inject({
        method: 'POST',
        url: '/api/v1/me/notifications/read',
        headers: { authorization: rider.bearer },
        payload: {},
      })
      await deliverAll()
      expect(other.received.length > 0).toBe(state === 'shown')
      expect(openTags(other)).toEqual([])
    },
  )

  test('read before it is sent -> never sent', async () => {
    const rider = await person()
    const browser = await browserOf(rider)
    await notify(notice(rider, 'accepted'))
    const headers = { authorization: rider.bearer }
    await scene.app.server.inject({
      method: 'POST',
      url: '/api/v1/me/notifications/read',
      headers,
      payload: {},
    })
    await deliverAll()
    expect(browser.attempts).toBe(0)
  })

  const requestEnded = (driver: Person, booking: string, effects: object[] = []) =>
    scene.app.database.pool.query(`insert into outbox (at, stream, kind, payload) values (0, $1, $2, $3)`, [
      booking,
      bookingChanged,
      {
        booking,
        version: 1,
        at: Date.now(),
        by: { role: 'system', id: null },
        command: 'accept',
        from: 'NEW',
        to: 'ACCEPTED',
        gone: [{ driver: driver.id, why: 'taken' }],
        left: [],
        users: [],
        effects,
        wave: 1,
        stops: [],
      },
    ])

  test('request taken by another driver -> closed', async () => {
    const driver = await person('driver')
    const browser = await browserOf(driver)
    const booking = uuidv7()
    await notify(notice(driver, 'new_booking', { booking }))
    await deliverAll()
    await scene.app.start()
    await requestEnded(driver, booking)
    await expect.poll(() => closed(browser), patience).toEqual([{ close: { tags: [`request:${booking}`] } }])
  })

  test('requests that end at any moment of their sending -> none stays open on a device', async () => {
    const driver = await person('driver')
    const browsers = [await browserOf(driver), await browserOf(driver)]
    const bookings = Array.from({ length: 60 }, () => uuidv7())
    const sender = senderWith({ urgent: 9 })
    sender.start()
    await Promise.all(
      bookings.map(async (booking) => {
        await notify(notice(driver, 'new_booking', { booking }))
        sender.wake()
        await wait(Math.random() * 60)
        await scene.app.database.withTransaction((tx) =>
          scene.app.services.devices.close(tx, [{ user: driver.id, tags: [`request:${booking}`] }]),
        )
      }),
    )
    await expect.poll(waiting, { timeout: 20_000 }).toBe(0)
    await sender.stop()
    expect(browsers.map(openTags)).toEqual([[], []])
    // Some were withdrawn before, some closed after their sending.
    expect(browsers.some((browser) => closed(browser).length > 0)).toBe(true)
  })

  test('decided by one admin at any moment of the alerts -> none stays open at the others', async () => {
    const browsers = await Promise.all(
      ['admin', 'admin'].map(async (role) => browserOf(await person(role as 'admin'))),
    )
    const driver = await person('driver')
    const { pool } = scene.app.database
    const sender = senderWith()
    sender.start()
    const scanned = () => expect.poll(() => scene.app.services.alerts.scan(), patience).toBe(true)
    for (let round = 0; round < 12; round++) {
      const id = uuidv7()
      await pool.query(
        `insert into withdraws (id, uid, name, amount, date, bank_name, bank_code, bank_account, currency)
          values ($1, $2, 'Dina', 1000000, $3, 'A bank', '1', '2', 'UYU')`,
        [id, driver.id, Date.now()],
      )
      const decided = wait(Math.random() * 40).then(() =>
        pool.query('update withdraws set processed = true, proces_date = 1 where id = $1', [id]),
      )
      await scanned()
      sender.wake()
      await decided
    }
    await scanned()
    sender.wake()
    await expect.poll(waiting, patience).toBe(0)
    await sender.stop()
    expect(browsers.map(openTags)).toEqual([[], []])
    const { rows } = await pool.query(
      `select count(*) filter (where read_at is null)::int as unread, count(*)::int as n from user_notifications
        where title = 'alert.withdrawal.title'`,
    )
    expect(rows[0]).toEqual({ unread: 0, n: expect.any(Number) })
    expect(rows[0].n).toBeGreaterThan(0)
  })

  test('account approved after it was rejected -> the rejection closes, the approval is shown', async () => {
    const driver = await person('driver')
    const browser = await browserOf(driver)
    await notify(notice(driver, 'account_rejected', { screen: 'profile' }))
    await deliverAll()
    await notify(notice(driver, 'account_approved', { screen: 'profile' }))
    await deliverAll()
    const [rejected, approved] = browser.received.flatMap(({ content }) => {
      const { notification } = content as Partial<ShowMessage>
      return notification?.tag ?? []
    })
    expect(closed(browser)).toEqual([{ close: { tags: [rejected] } }])
    expect(openTags(browser)).toEqual([approved])
  })
})
