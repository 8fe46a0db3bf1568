import type { ShowMessage } from '@hansom/domain/devices/web-message'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { deliveryScene, notice, shown } from './delivery.fixture.ts'

/** For a busy machine. */
const patience = { timeout: 20_000 }

const scene = deliveryScene()
const { person, browserOf, notify, senderWith, deliverAll, waiting, devicesLeft } = scene

describe('delivery', () => {
  test('notification -> one message for each device, in its language, leading to the page of the role', async () => {
    const rider = await person('rider', 'ar')
    const [own, other] = [await browserOf(rider), await browserOf(rider, { locale: 'en' })]
    const booking = uuidv7()
    await notify(notice(rider, 'accepted', { booking }))
    await deliverAll()
    const [message] = other.received
    expect(message?.content).toEqual({
      web_push: 8030,
      notification: {
        title: 'Driver found',
        body: 'Bea accepted your booking K7M2PQ.',
        navigate: `https://rides.test/trip/${booking}`,
        tag: expect.any(String),
        lang: 'en',
        dir: 'ltr',
        silent: false,
        renotify: false,
        requireInteraction: false,
        data: {
          kind: 'trip',
          id: expect.any(String),
          screen: 'BookedCab',
          booking,
          at: expect.any(Number),
          expiresAt: null,
        },
      },
    })
    expect(own.received.map(({ content }) => (content as ShowMessage).notification)).toMatchObject([
      { lang: 'ar', dir: 'rtl' },
    ])
    expect(message?.headers).toMatchObject({ urgency: 'high', ttl: '7200' })
  })

  test('same occasion again, or a rolled back transaction -> nothing more', async () => {
    const rider = await person()
    const browser = await browserOf(rider)
    const once = notice(rider, 'accepted')
    await notify(once)
    await notify(once)
    const failing = scene.app.database.withTransaction(async (tx) => {
      await scene.app.services.users.notify(tx, [notice(rider, 'accepted')])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await deliverAll()
    expect(browser.received).toHaveLength(1)
  })

  test('muted kind -> no message, but in the list', async () => {
    const rider = await person()
    const browser = await browserOf(rider)
    await scene.app.server.inject({
      method: 'PUT',
      url: '/api/v1/push/preferences',
      headers: { authorization: rider.bearer },
      payload: { muted: ['payments'] },
    })
    await notify(notice(rider, 'rider_paid'), notice(rider, 'accepted'))
    await deliverAll()
    expect(shown(browser)).toEqual(['Driver found'])
    const list = await scene.app.services.users.notifications(rider.id, {})
    expect(list.items).toHaveLength(2)
  })

  test('request -> high urgency, for the time left to answer, stays until it is answered', async () => {
    const driver = await person('driver')
    const browser = await browserOf(driver)
    const expires_at = Date.now() + 15_000
    await notify(notice(driver, 'new_booking', { booking: uuidv7(), expires_at }))
    await deliverAll()
    const [message] = browser.received
    expect(message?.headers.urgency).toBe('high')
    expect(Number(message?.headers.ttl)).toBeLessThanOrEqual(15)
    expect(Number(message?.headers.ttl)).toBeGreaterThan(5)
    expect((message?.content as ShowMessage | undefined)?.notification).toMatchObject({
      navigate: 'https://rides.test/bookings',
      renotify: true,
      requireInteraction: true,
      data: { kind: 'requests', expiresAt: expires_at },
    })
  })

  test('request that has expired before it could be sent -> not sent', async () => {
    const driver = await person('driver')
    const browser = await browserOf(driver)
    await notify(notice(driver, 'new_booking', { booking: uuidv7(), expires_at: Date.now() - 1 }))
    await deliverAll()
    expect(browser.attempts).toBe(0)
  })

  test('newer message with the same tag -> replaces the waiting one', async () => {
    const driver = await person('driver')
    const browser = await browserOf(driver)
    const booking = uuidv7()
    await notify(notice(driver, 'new_booking', { booking }))
    await notify(notice(driver, 'next_trip', { booking }))
    await deliverAll()
    expect(shown(browser)).toEqual(['Your next trip'])
  })

  test('test notification -> to all own devices', async () => {
    const rider = await person()
    const browsers = [await browserOf(rider), await browserOf(rider)]
    const headers = { authorization: rider.bearer }
    const answer = await scene.app.server.inject({ method: 'POST', url: '/api/v1/push/test', headers })
    expect(answer.json()).toEqual({ devices: 2 })
    await deliverAll()
    expect(browsers.map(shown)).toEqual([['Test notification'], ['Test notification']])
  })
})

describe('failures', () => {
  test.each([[500, 503], ['reset', 429], ['hang']] as const)(
    'service fails with %j, then accepts -> delivered once',
    async (...reactions) => {
      const rider = await person()
      const browser = await browserOf(rider)
      browser.reactions.push(...reactions)
      await notify(notice(rider, 'accepted'))
      await deliverAll({ isHasty: reactions.some((reaction) => reaction === 'hang') })
      expect([browser.attempts, browser.received.length]).toEqual([reactions.length + 1, 1])
    },
  )

  test('Retry-After longer than the message is worth -> dropped', async () => {
    const driver = await person('driver')
    const browser = await browserOf(driver)
    browser.reactions.push({ status: 429, retryAfter: '60' })
    await notify(notice(driver, 'new_booking', { booking: uuidv7(), expires_at: Date.now() + 15_000 }))
    await deliverAll()
    expect([browser.attempts, await devicesLeft(driver)]).toEqual([1, 1])
  })

  test.each([404, 410])('subscription ended with %s -> device removed, others reached', async (status) => {
    const rider = await person()
    const [dead, alive] = [await browserOf(rider), await browserOf(rider)]
    dead.reactions.push(status, status)
    await notify(notice(rider, 'accepted'), notice(rider, 'driver_near'))
    await deliverAll()
    expect([await devicesLeft(rider), alive.received.length, dead.received.length]).toEqual([1, 2, 0])
  })

  test('message refused -> dropped, device kept', async () => {
    const rider = await person()
    const browser = await browserOf(rider)
    browser.reactions.push(400)
    await notify(notice(rider, 'accepted'))
    await deliverAll()
    expect([browser.attempts, browser.received.length, await devicesLeft(rider)]).toEqual([1, 0, 1])
  })

  test('server dies between the acceptance and its commit -> sent again with the same tag', async () => {
    const rider = await person()
    const browser = await browserOf(rider)
    await notify(notice(rider, 'accepted'))
    const failing = { ...scene.app.database, withTransaction: () => Promise.reject(new Error('it has died')) }
    const broken = senderWith({ leaseMs: 30_000 }, failing)
    broken.start()
    await broken.idle()
    await broken.stop()
    expect([browser.received.length, await waiting()]).toEqual([1, 1])
    // The lease of the dead server ends.
    await scene.app.database.pool.query('update push_deliveries set not_before = 0')
    await deliverAll()
    const tags = browser.received.map(({ content }) => (content as ShowMessage).notification.tag)
    expect(tags).toHaveLength(2)
    expect(new Set(tags).size).toBe(1)
  })

  test('two servers at once -> every message once', async () => {
    const rider = await person()
    const browsers = await Promise.all(Array.from({ length: 5 }, () => browserOf(rider)))
    await notify(...Array.from({ length: 40 }, () => notice(rider, 'accepted')))
    const senders = [senderWith({ urgent: 7 }), senderWith({ urgent: 5 })]
    for (const sender of senders) sender.start()
    await expect.poll(waiting, { timeout: 20_000 }).toBe(0)
    await Promise.all(senders.map((sender) => sender.stop()))
    expect(browsers.map(({ received }) => received.length)).toEqual(browsers.map(() => 40))
  })

  test('slow service for announcements -> requests are not delayed', async () => {
    const [rider, driver] = [await person(), await person('driver')]
    const [slow, browser] = [await browserOf(rider), await browserOf(driver)]
    slow.reactions.push(...Array.from({ length: 20 }, () => 'hang' as const))
    await notify(...Array.from({ length: 20 }, () => notice(rider, 'announcement')))
    const sender = senderWith({ others: 2 })
    sender.start()
    await expect.poll(() => slow.attempts, patience).toBeGreaterThan(0)
    await notify(notice(driver, 'new_booking', { booking: uuidv7() }))
    sender.wake()
    await expect.poll(() => browser.received.length, { ...patience, interval: 5 }).toBe(1)
    expect(await waiting()).toBeGreaterThanOrEqual(18)
    await sender.stop()
  })
})
