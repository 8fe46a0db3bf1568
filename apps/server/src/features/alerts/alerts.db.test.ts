import { type AlertKind, alertDayMs, alertKinds, alertSearchOf, alerts } from '@hansom/domain/alerts/alerts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anonymise, eraseAccount } from '../users/admin/remove-user.ts'
import { type AlertScene, createAlertScene } from './alerts.fixture.ts'

let scene: AlertScene
/** Ids of the users by name: two admins, two fleet admins with a driver each, a rider. */
let ids: Record<string, string>

beforeAll(async () => {
  scene = await createAlertScene()
  ids = scene.ids
  await scene.add('ada', 'admin')
  await scene.add('abe', 'admin')
  await scene.add('out', 'admin', { approved: false })
  const [finn, fay] = [await scene.add('finn', 'fleetadmin'), await scene.add('fay', 'fleetadmin')]
  await scene.add('dina', 'driver', { fleetadmin: finn })
  await scene.add('dave', 'driver', { fleetadmin: fay })
  await scene.add('rita', 'rider')
})
afterAll(() => scene.app.close())
beforeEach(() => scene.clear())

const id = (name: string) => ids[name] ?? ''

/** Opens a matter of each kind, and returns what closes it. Fleets: finn's. */
const opened: Record<AlertKind, () => Promise<() => Promise<unknown>>> = {
  safety: async () => {
    const alarm = await scene.alarm(id('finn'), id('dina'))
    return () =>
      scene.pool.query(
        `update safety_events set state = 'closed', closed_at = 2, closing = 'admin' where id = $1`,
        [alarm],
      )
  },
  driver_waiting: async () => {
    const driver = await scene.waitingDriver(id('finn'))
    return () => scene.pool.query('update users set approved = true where id = $1', [driver])
  },
  withdrawal: async () => {
    const withdraw = await scene.withdrawal(id('dina'))
    return () =>
      scene.pool.query('update withdraws set processed = true, proces_date = 1 where id = $1', [withdraw])
  },
  no_driver: async () => {
    await scene.noDriver()
    return async () => {
      await scene.clock.advance(1)
      await scene.book('NEW')
    }
  },
  payment: async () => {
    const booking = await scene.book('PENDING', { driver: id('dina') })
    await scene.payment(booking, 'failed')
    return () => scene.payment(booking, 'paid', 2)
  },
  refund: async () => {
    const booking = await scene.book('COMPLETE', { driver: id('dina') })
    const refund = await scene.refund(await scene.payment(booking, 'paid'), booking)
    return () =>
      scene.pool.query(`update refunds set state = 'confirmed', ended_at = 1 where id = $1`, [refund])
  },
  objection: async () => {
    const booking = await scene.objection(id('finn'), id('dina'))
    return () => scene.pool.query(`update bookings set objection = 'paid' where id = $1`, [booking])
  },
  unproven_stop: async () => {
    await scene.unprovenStop(id('finn'), id('dina'))
    // Only the last day counts.
    return () => scene.pool.query('update delivery_stops set done_at = done_at - $1', [alertDayMs + 1])
  },
  chat_report: async () => {
    const booking = await scene.book('COMPLETE', { driver: id('dina') })
    await scene.chatReport(booking, id('dina'))
    return () =>
      scene.pool.query(`update chat_reports set settled_at = 2, settled_by = $1, settled_note = 'x'`, [
        id('ada'),
      ])
  },
  message_limit: async () => {
    await scene.messages({ sent: scene.mailLimit * 0.8 })
    return () => scene.clock.advance(alertDayMs)
  },
  failed_work: async () => {
    await scene.parkedEvent('sample', Date.now())
    return () => scene.pool.query('delete from parked_events')
  },
}

/** The count of the table that the screen of a kind shows; the dashboard has none. */
const countOf: Partial<Record<AlertKind, string>> = {
  driver_waiting: 'users/count?usertype=driver&',
  withdrawal: 'withdraws/count?',
  no_driver: 'bookings/count?',
  payment: 'payments/count?',
  refund: 'refunds/count?',
  objection: 'bookings/count?',
  unproven_stop: 'bookings/count?',
  chat_report: 'bookings/count?',
}
async function listed(name: string, kind: AlertKind): Promise<number> {
  if (kind === 'safety') {
    const reply = await scene.app.server.inject({
      url: '/api/v1/safety',
      headers: { authorization: await scene.app.bearer(`${name}@x.test`) },
    })
    return reply.json<{ alarms: unknown[] }>().alarms.length
  }
  const path = countOf[kind]
  if (path === undefined) return 1
  const url = `/api/v1/${path}${new URLSearchParams(alertSearchOf(alerts[kind], scene.clock.now(), 'UTC'))}`
  const authorization = await scene.app.bearer(`${name}@x.test`)
  const reply = await scene.app.server.inject({ url, headers: { authorization } })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json().count
}

describe.each(alertKinds)('%s', (kind) => {
  const isFleets = (alerts[kind].roles as readonly string[]).includes('fleetadmin')

  test('opens -> counted for its roles only, listed by its screen, gone when it is settled', async () => {
    const settle = await opened[kind]()
    expect(await scene.counts('ada')).toEqual({ [kind]: 1 })
    expect(await scene.counts('finn')).toEqual(isFleets ? { [kind]: 1 } : {})
    expect(await scene.counts('fay')).toEqual({})
    expect(await listed('ada', kind)).toBe(1)
    if (isFleets) expect([await listed('finn', kind), await listed('fay', kind)]).toEqual([1, 0])
    await settle()
    expect(await scene.counts('ada')).toEqual({})
    expect(await scene.counts('finn')).toEqual({})
  })

  test('opens -> each recipient is notified once, also by scans at the same time', async () => {
    await opened[kind]()
    await Promise.all([scene.scan(), scene.scan(), scene.scan()])
    await scene.scan()
    const msg = `alert.${kind}.${kind === 'message_limit' ? 'mails_near' : 'msg'}`
    const expected = [{ title: `alert.${kind}.title`, msg, screen: kind }]
    expect(await scene.alertsOf('ada')).toMatchObject(expected)
    expect(await scene.alertsOf('abe')).toMatchObject(expected)
    expect(await scene.alertsOf('out')).toEqual([])
    expect(await scene.alertsOf('finn')).toMatchObject(isFleets ? expected : [])
    expect(await scene.alertsOf('fay')).toEqual([])
  })

  test('settled -> its alert is read for every recipient, another matter stays unread', async () => {
    const settle = await opened[kind]()
    const other = kind === 'failed_work' ? 'withdrawal' : 'failed_work'
    await opened[other]()
    await scene.scan()
    const unread = async (name: string) =>
      (await scene.alertsOf(name)).flatMap(({ screen, read_at }) => (read_at === null ? screen : []))
    expect((await unread('ada')).toSorted()).toEqual([kind, other].toSorted())
    await settle()
    await scene.scan()
    expect([await unread('ada'), await unread('abe'), await unread('finn')]).toEqual([[other], [other], []])
  })
})

describe('notification', () => {
  test('names the user or the trip, and the amount', async () => {
    for (const kind of alertKinds) await opened[kind]()
    await scene.scan()
    const alertOf = new Map((await scene.alertsOf('ada')).map((one) => [one.screen, one]))
    expect(alertOf.get('driver_waiting')?.params).toEqual({
      name: expect.stringMatching(/^driver.* Person$/),
      person: expect.any(String),
    })
    const amount = expect.stringContaining('$100')
    expect(alertOf.get('withdrawal')?.params).toEqual({ name: 'Dina Driver', person: id('dina'), amount })
    const trip = alertOf.get('no_driver')
    expect(trip).toMatchObject({ booking_id: expect.any(String), params: { booking_id: trip?.booking_id } })
    expect(alertOf.get('payment')?.params).toEqual({
      booking_id: 'CODE',
      amount: expect.stringContaining('$50'),
    })
    expect(alertOf.get('refund')?.params).toEqual({
      booking_id: 'CODE',
      amount: expect.stringContaining('$20'),
    })
    expect(alertOf.get('objection')?.booking_id).toEqual(expect.any(String))
    expect(alertOf.get('failed_work')?.params).toEqual({ name: 'sample' })
  })

  test('matter that was older than a day at first sight -> counted, not announced', async () => {
    await scene.withdrawal(id('dina'))
    await scene.waitingDriver()
    await scene.clock.advance(alertDayMs + 1)
    await scene.scan()
    expect(await scene.counts('ada')).toEqual({ driver_waiting: 1, withdrawal: 1 })
    expect(await scene.alertsOf('ada')).toEqual([])
  })

  test('admin approved later -> notified of the matters of the last day', async () => {
    await scene.withdrawal(id('dina'))
    await scene.scan()
    await scene.pool.query('update users set approved = false where id = $1', [id('abe')])
    await scene.withdrawal(id('dave'))
    await scene.scan()
    expect(await scene.alertsOf('abe')).toHaveLength(1)
    await scene.pool.query('update users set approved = true where id = $1', [id('abe')])
    await scene.scan()
    expect(await scene.alertsOf('abe')).toHaveLength(2)
  })
})

test('daily limit of messages: near it, then a message held back -> announced once each per day and channel', async () => {
  const messages = async () => {
    await scene.scan()
    return (await scene.alertsOf('ada')).map(({ msg, params }) => [msg.split('.').at(-1), params])
  }
  await scene.messages({ sent: scene.mailLimit * 0.8 - 1 })
  expect(await messages()).toEqual([])
  await scene.messages({ sent: scene.mailLimit * 0.8 })
  await scene.messages({ channel: 'texts', dropped: 1 })
  expect(await messages()).toEqual([
    ['mails_near', {}],
    ['texts_dropped', {}],
  ])
  await scene.messages({ sent: scene.mailLimit, dropped: 3 })
  await scene.messages({ channel: 'texts', dropped: 9 })
  expect((await messages()).map(([name]) => name)).toEqual(['mails_near', 'texts_dropped', 'mails_dropped'])
  expect(await scene.counts('ada')).toEqual({ message_limit: 2 })
  // What was held back shortly before midnight UTC still needs someone in the morning.
  await scene.clock.advance(alertDayMs)
  expect(await scene.counts('ada')).toEqual({ message_limit: 2 })
  await scene.clock.advance(alertDayMs)
  expect(await scene.counts('ada')).toEqual({})
  await scene.messages({ sent: scene.mailLimit })
  expect((await messages()).map(([name]) => name).at(-1)).toBe('mails_near')
})

describe('matter that begins again', () => {
  test('rejected driver who waits again -> announced again', async () => {
    const driver = await scene.waitingDriver()
    await scene.scan()
    const admin = { authorization: await scene.app.bearer('ada@x.test') }
    const decide = async (reason?: string) => {
      await scene.clock.advance(1_000)
      const { rows } = await scene.pool.query('select version from users where id = $1', [driver])
      const reply = await scene.app.server.inject({
        method: 'POST',
        url: `/api/v1/users/${driver}/disapprove`,
        headers: admin,
        payload: { version: rows[0].version, ...(reason && { reason }) },
      })
      expect(reply.statusCode, reply.body).toBe(200)
    }
    await decide('no licence')
    expect(await scene.counts('ada')).toEqual({})
    await scene.clock.advance(30 * alertDayMs)
    await decide()
    expect(await scene.counts('ada')).toEqual({ driver_waiting: 1 })
    await scene.scan()
    expect((await scene.alertsOf('ada')).filter(({ screen }) => screen === 'driver_waiting')).toHaveLength(2)
  })

  test('work of a name that fails again after it was cleared -> announced again', async () => {
    await scene.parkedEvent('sample', Date.now() - 5_000)
    await scene.parkedEvent('sample', Date.now() - 4_000)
    await scene.scan()
    expect(await scene.alertsOf('ada')).toHaveLength(1)
    await scene.pool.query('delete from parked_events')
    await scene.parkedEvent('sample', Date.now())
    await scene.scan()
    expect(await scene.alertsOf('ada')).toHaveLength(2)
  })

  test('failed payment that turns out to be a mismatch -> announced again', async () => {
    const payment = await scene.payment(await scene.book('PENDING', { driver: id('dina') }), 'failed')
    await scene.scan()
    await scene.clock.advance(2 * alertDayMs)
    expect(await scene.counts('ada')).toEqual({})
    await scene.pool.query(`update payments set state = 'mismatch', mismatch_at = $2 where id = $1`, [
      payment,
      scene.clock.now(),
    ])
    await scene.scan()
    expect(await scene.alertsOf('ada')).toHaveLength(2)
  })
})

describe('not a matter', () => {
  test.each<[string, () => Promise<unknown>]>([
    [
      'booking that the system cancelled for another reason',
      async () => {
        const booking = await scene.noDriver()
        await scene.pool.query(`update report_operations set outcome = 'system' where booking_id = $1`, [
          booking,
        ])
      },
    ],
    [
      'no driver more than a day ago',
      async () => {
        await scene.noDriver()
        await scene.clock.advance(alertDayMs)
      },
    ],
    [
      'failed attempt of a paid booking',
      async () => scene.payment(await scene.book('PAID', { driver: id('dina') }), 'failed'),
    ],
    [
      'failed attempt with another one in progress',
      async () => {
        const booking = await scene.book('PENDING', { driver: id('dina') })
        await scene.payment(booking, 'failed')
        await scene.payment(booking, 'started', 2)
      },
    ],
    [
      'payment that was given back',
      async () => {
        const payment = await scene.payment(await scene.book('PENDING', { driver: id('dina') }), 'failed')
        await scene.pool.query(`update payments set failure = 'refunded' where id = $1`, [payment])
      },
    ],
    [
      'rejected driver',
      async () => {
        const driver = await scene.waitingDriver()
        await scene.pool.query(`update users set rejection = 'no licence' where id = $1`, [driver])
      },
    ],
    ['waiting rider', () => scene.add(`rider${Math.random()}`, 'rider', { approved: false })],
  ])('%s -> not counted', async (_name, make) => {
    await make()
    expect(await scene.counts('ada')).toEqual({})
  })
})

describe('routes', () => {
  test.each(['rita', 'dina'])('%s -> not_found', async (name) => {
    expect((await scene.call(name, 'GET')).statusCode).toBe(404)
    expect((await scene.call(name, 'GET', '/mail')).statusCode).toBe(404)
    expect((await scene.call(name, 'PUT', '/mail', { kinds: [] })).statusCode).toBe(404)
  })

  test('setMail: replaces the kinds, in order and once each -> kept', async () => {
    expect((await scene.call('ada', 'GET', '/mail')).json()).toEqual({ kinds: [] })
    const kinds = ['refund', 'withdrawal', 'refund']
    const reply = await scene.call('ada', 'PUT', '/mail', { kinds })
    expect(reply.json()).toEqual({ kinds: ['withdrawal', 'refund'] })
    expect((await scene.call('ada', 'GET', '/mail')).json()).toEqual({ kinds: ['withdrawal', 'refund'] })
    expect((await scene.call('abe', 'GET', '/mail')).json()).toEqual({ kinds: [] })
    await scene.call('ada', 'PUT', '/mail', { kinds: [] })
    expect((await scene.call('ada', 'GET', '/mail')).json()).toEqual({ kinds: [] })
  })

  test('setMail: kind of another role -> refused at its field', async () => {
    const reply = await scene.call('finn', 'PUT', '/mail', { kinds: ['objection', 'refund'] })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ fields: [{ field: 'kinds.1', error: 'not_in_list' }] })
    expect((await scene.call('finn', 'GET', '/mail')).json()).toEqual({ kinds: [] })
  })
})

describe('open pages', () => {
  /** Scans, and returns the fleets that are told of changed alerts with the admins; null if no one is told. */
  const told = async () => {
    await scene.pool.query('delete from outbox')
    await scene.scan()
    const { rows } = await scene.pool.query<{ payload: { tables: string[]; fleets: string[] } }>(
      'select payload from outbox',
    )
    expect(rows.length).toBeLessThan(2)
    expect(rows.flatMap(({ payload }) => payload.tables)).toEqual(rows.map(() => 'alerts'))
    return rows[0]?.payload.fleets ?? null
  }

  test('nothing new since the last scan -> no one is told', async () => {
    await scene.scan()
    expect(await told()).toBeNull()
    await scene.withdrawal(id('dina'))
    expect(await told()).toEqual([])
    expect(await told()).toBeNull()
  })

  test('matter of a fleet opens and closes -> the fleet is told, too', async () => {
    await scene.scan()
    const close = await opened.objection()
    expect(await told()).toEqual([id('finn')])
    expect(await told()).toBeNull()
    await close()
    expect(await told()).toEqual([id('finn')])
    expect(await told()).toBeNull()
  })

  test('same count, another matter -> told', async () => {
    await scene.withdrawal(id('dina'))
    await scene.scan()
    await scene.pool.query('update withdraws set processed = true, proces_date = 1')
    await scene.withdrawal(id('dave'))
    expect(await told()).toEqual([])
  })
})

test('account deleted -> its name leaves the alerts, its choice of emails is deleted', async () => {
  const driver = await scene.waitingDriver()
  await scene.scan()
  await scene.pool.query(
    `insert into alert_mails (user_id, kinds, mailed_until) values ($1, '{refund}', gen_random_uuid())`,
    [driver],
  )
  await scene.app.database.withTransaction(async (tx) => {
    const user = (await scene.app.services.users.lock(tx, [driver])).get(driver)
    if (user === undefined) throw new Error('unknown user id')
    await anonymise(tx, user, 1)
  })
  expect((await scene.pool.query('select from alert_mails')).rowCount).toBe(0)
  expect(await scene.counts('ada')).toEqual({})
  await eraseAccount({ database: scene.app.database, now: () => 1 }, driver)
  const [alert] = await scene.alertsOf('ada')
  expect(alert?.params).toEqual({ name: 'Deleted user', person: driver })
})
