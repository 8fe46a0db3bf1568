import type { CloseMessage, ShowMessage } from '@hansom/domain/devices/web-message'
import type { Role } from '@hansom/domain/users/roles'
import { type Browser, startWebPushService, type WebPushService } from '@hansom/doubles/push/web-push-service'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { openPush } from '../../adapters/push/open-push.ts'
import type { Push } from '../../adapters/push/port.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createTestApp, loadTestConfig, type TestApp, vapid } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'
import type { NewNotification } from '../users/notifications.ts'
import { createComposer } from './compose.ts'
import { createSender, type SenderDeps, type SenderOptions } from './sender.ts'

export interface Person {
  id: string
  email: string
  bearer: string
}

export const notice = (
  { id }: Person,
  name: string,
  { booking = null, ...more }: { booking?: string | null } & Partial<NewNotification> = {},
): NewNotification => ({
  user_id: id,
  at: Date.now(),
  title: `notify.${name}.title`,
  msg: `notify.${name}.msg`,
  params: { booking_id: 'K7M2PQ', driver_name: 'Bea' },
  screen: name === 'new_booking' ? 'DriverTrips' : 'BookedCab',
  booking_id: booking,
  dedupe: uuidv7(),
  ...more,
})

/** The titles that a browser was shown. */
export const shown = ({ received }: Browser) =>
  received.flatMap(({ content }) => {
    const { notification } = content as Partial<ShowMessage>
    return notification?.title ?? []
  })

/** The tags of the notifications that a browser has been sent and not been told to close. */
export function openTags({ received }: Browser): string[] {
  const open = new Set<string>()
  for (const { content } of received) {
    const { notification, close } = content as Partial<ShowMessage & CloseMessage>
    if (notification) open.add(notification.tag)
    for (const tag of close?.tags ?? []) open.delete(tag)
  }
  return [...open]
}

/** The closing messages of a browser. */
export const closed = ({ received }: Browser) =>
  received.flatMap(({ content }) => ('close' in (content as object) ? [content] : []))

/**
 * An application whose browsers are on a push service on loopback. Its own sender does not run before `app.start`: tests
 * start the senders that they need. Call it once in a test file.
 */
export function deliveryScene() {
  let app: TestApp
  let service: WebPushService
  let push: Push
  /** Gives up early: it may report a failure of what the service accepted. */
  let hasty: Push

  beforeAll(async () => {
    service = await startWebPushService()
    const web = { keys: vapid, subject: 'https://rides.test', hosts: [service.host] }
    const others = { fcm: null, expo: null, store: async () => {} }
    push = openPush({ web, ...others })
    hasty = openPush({ web: { ...web, timeoutMs: 400 }, ...others })
    const config = { ...loadTestConfig(), pushHosts: [service.host], publicUrl: 'https://rides.test' }
    app = await createTestApp({ maps: straightMaps(), config, push })
  })
  afterAll(async () => {
    await app.close()
    await service.close()
  })
  beforeEach(() => app.database.pool.query('delete from push_devices'))

  const waiting = async (): Promise<number> =>
    (await app.database.pool.query('select count(*)::int as n from push_deliveries')).rows[0].n

  /** A sender as another server runs it. */
  function senderWith(
    options: Partial<SenderOptions> & { isHasty?: boolean } = {},
    database: SenderDeps['database'] = app.database,
  ) {
    const { isHasty, ...given } = options
    return createSender({
      database,
      log: silentLog(),
      push: isHasty ? hasty : push,
      compose: createComposer({ languages: app.services.languages, siteUrl: () => 'https://rides.test' }),
      expectReceipts: async () => {},
      unreached: async () => {},
      options: { pollMs: 20, retryMs: 10, longestRetryMs: 40, ...given },
    })
  }

  return {
    get app() {
      return app
    },
    senderWith,
    waiting,
    person: async (usertype: Role = 'rider', locale: string | null = null): Promise<Person> => {
      const email = `${uuidv7()}@delivery.test`
      const id = await app.addUser({ email, usertype, locale })
      return { id, email, bearer: await app.bearer(email) }
    },
    /** Registers a browser of the person, with a session of its own unless one is given. */
    browserOf: async ({ email }: Person, { locale, bearer }: { locale?: string; bearer?: string } = {}) => {
      const browser = service.subscribe(vapid.publicKey)
      const answer = await app.server.inject({
        method: 'POST',
        url: '/api/v1/push/devices',
        headers: { authorization: bearer ?? (await app.bearer(email)) },
        payload: { kind: 'web', ...browser.subscription, platform: null, ...(locale && { locale }) },
      })
      expect(answer.statusCode).toBe(200)
      return browser
    },
    notify: (...notices: NewNotification[]) =>
      app.database.withTransaction((tx) => app.services.users.notify(tx, notices)),
    /** Sends what is due, with retries, until nothing waits. */
    deliverAll: async (options?: Parameters<typeof senderWith>[0]) => {
      const sender = senderWith(options)
      sender.start()
      await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
      await sender.stop()
    },
    devicesLeft: async ({ id }: Person) =>
      (await app.database.pool.query('select from push_devices where user_id = $1', [id])).rowCount,
  }
}
