import { setTimeout as wait } from 'node:timers/promises'
import type { CloseMessage, ShowMessage } from '@hansom/domain/devices/web-message'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { bookingChanged } from '../bookings/booking-changed-event.ts'
import { closed, deliveryScene, notice, type Person } from './delivery.fixture.ts'

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
    for (const { received } of browsers) {
      const open = new Set<string>()
      for (const { content } of received) {
        const { notification, close } = content as Partial<ShowMessage & CloseMessage>
        if (notification) open.add(notification.tag)
        for (const tag of close?.tags ?? []) open.delete(tag)
      }
      expect([...open]).toEqual([])
    }
    // Some were withdrawn before, some closed after their sending.
    expect(browsers.some((browser) => closed(browser).length > 0)).toBe(true)
  })
})
