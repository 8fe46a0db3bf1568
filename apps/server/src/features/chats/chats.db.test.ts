import { chatView } from '@hansom/contract/chats'
import { chatBursts, chatLimits, chatPageSize } from '@hansom/domain/chats/chat'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withOneConnection } from '../../platform/database/test-database.ts'
import { type ChatScene, createChatScene } from './chats.fixture.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await createChatScene()
})
afterAll(() => scene.close())

const refusalOf = (sending: Promise<unknown>) =>
  sending.then(
    () => null,
    (error: { key?: string }) => error.key,
  )

describe('messages', () => {
  test('rider and driver write -> both read the same, with the fields of the specification', async () => {
    const talk = await scene.talk()
    const sent = await talk.call('rider', 'POST', '', { smsId: 'rider-0001', message: '  At the gate \n' })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    expect(sent.body).toMatchObject({
      seq: 1,
      from: talk.ids.rider,
      source: 'rider',
      type: 'msg',
      kind: 'text',
      message: 'At the gate',
      smsId: 'rider-0001',
      msgDate: expect.stringMatching(/^\d{1,2}:\d{1,2}:\d{4}$/),
      msgTime: expect.stringMatching(/^\d\d:\d\d$/),
    })
    await talk.quick('driver', 'arrived')
    const [rider, driver] = [await talk.call('rider', 'GET', ''), await talk.call('driver', 'GET', '')]
    expect(chatView.parse(rider.body)).toMatchObject({
      side: 'rider',
      state: 'open',
      driver: talk.ids.driver,
    })
    expect(driver.body.side).toBe('driver')
    expect(driver.body.messages).toEqual(rider.body.messages)
    expect(
      rider.body.messages.map(({ message, quick }: Record<string, unknown>) => [message, quick]),
    ).toEqual([
      ['I’ve arrived', 'arrived'],
      ['At the gate', null],
    ])
  })

  test('sent in parallel by both -> numbered without a gap', async () => {
    const talk = await scene.talk()
    const sending = Array.from({ length: 24 }, (_, n) => talk.send(n % 2 ? 'rider' : 'driver', `Line ${n}`))
    const seqs = (await Promise.all(sending)).map(({ seq }) => seq)
    expect(seqs.sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, n) => n + 1))
    expect((await talk.stored()).map(({ seq }) => seq)).toEqual(seqs)
  })

  test('same key many times in parallel -> one message, the same answer', async () => {
    const talk = await scene.talk()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => talk.send('rider', 'Once', 'the-same-key')),
    )
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(await talk.stored()).toHaveLength(1)
    expect(await refusalOf(talk.send('rider', 'Another text', 'the-same-key'))).toBe('idempotency_mismatch')
    // The key is the sender's own.
    expect((await talk.send('driver', 'Once', 'the-same-key')).seq).toBe(2)
  })

  test('known key after the end -> the stored message; a new one -> chat_closed', async () => {
    const talk = await scene.talk()
    const sent = await talk.send('rider', 'Thanks', 'before-the-end')
    await talk.setStatus('PENDING')
    expect((await talk.send('rider', 'Thanks', 'before-the-end')).id).toBe(sent.id)
    expect(await refusalOf(talk.send('rider', 'Too late'))).toBe('chat_closed')
  })

  test('sent beside the end of the trip -> before it, or refused', async () => {
    for (let round = 0; round < 12; round++) {
      const talk = await scene.talk()
      const client = await scene.pool.connect()
      await client.query('begin')
      await client.query(`update bookings set status = 'PENDING' where id = $1`, [talk.booking])
      const sending = Promise.all([talk.send('rider', 'a'), talk.send('driver', 'b')].map(refusalOf))
      await client.query('commit')
      client.release()
      // The commands waited for the commit: neither was stored in a booking that had ended.
      expect(await sending).toEqual(['chat_closed', 'chat_closed'])
      expect(await talk.stored()).toEqual([])
    }
  })

  test.each([
    ['nothing', {}],
    ['two contents', { message: 'a', quick: 'arrived' }],
    ['only spaces', { message: '   ' }],
    ['too long', { message: 'x'.repeat(chatLimits.text + 1) }],
    ['a quick reply of the other side', { quick: 'arrived' }],
    ['an unknown quick reply', { quick: 'x' }],
    ['no key', { smsId: 'short', message: 'a' }],
  ])('%s -> invalid_input', async (_name, content) => {
    const talk = await scene.talk()
    const answer = await talk.call('rider', 'POST', '', { smsId: 'a-key-of-8', ...content })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_input'])
  })

  test('more than a page -> pages of the newest first', async () => {
    const talk = await scene.talk()
    await talk.send('rider', 'first')
    await scene.pool.query(
      `insert into chat_messages (id, booking_id, driver_id, seq, at, from_user, source, kind, message, sms_id)
        select gen_random_uuid(), $1, $2, n, n, $2, 'driver', 'text', 'line ' || n, 'key-' || n
          from generate_series(2, $3::int) n`,
      [talk.booking, talk.ids.driver, chatPageSize + 10],
    )
    const first = await talk.call('rider', 'GET', '')
    const second = await talk.call('rider', 'GET', `?cursor=${first.body.next}`)
    expect(first.body.messages).toHaveLength(chatPageSize)
    expect(second.body.messages.map(({ seq }: { seq: number }) => seq)).toEqual(
      Array.from({ length: 10 }, (_, n) => 10 - n),
    )
    expect(second.body.next).toBeNull()
    expect((await talk.call('rider', 'GET', '?cursor=x')).status).toBe(400)
  })

  test('burst -> too_many_requests with the time to wait', async () => {
    const talk = await scene.talk()
    const sending = Array.from({ length: chatBursts.send.most }, (_, n) => talk.send('rider', `${n}`))
    await Promise.all(sending)
    const refused = await talk.call('rider', 'POST', '', { smsId: 'one-too-many', message: 'x' })
    expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests'])
    expect(refused.body.data.retryAfterS).toBeGreaterThan(0)
    expect((await talk.send('driver', 'Not limited')).seq).toBe(chatBursts.send.most + 1)
  })

  test('full -> chat_full', async () => {
    const talk = await scene.talk()
    await talk.send('rider', 'first')
    await scene.pool.query('update chats set last_seq = $2 where booking_id = $1', [
      talk.booking,
      chatLimits.messages,
    ])
    expect(await refusalOf(talk.send('rider', 'next'))).toBe('chat_full')
  })
})

describe('access', () => {
  test('everyone else, unknown booking, none without a driver -> chat_not_found', async () => {
    const talk = await scene.talk()
    await talk.send('rider', 'Hello')
    for (const who of ['otherRider', 'otherDriver', 'requested', 'fleetadmin', 'otherFleetadmin'] as const) {
      for (const [method, part, payload] of [
        ['GET', ''],
        ['POST', '', { smsId: 'a-key-of-8', message: 'a' }],
        ['POST', '/marks', { read: 1 }],
        ['POST', '/typing'],
        ['POST', '/block'],
        ['POST', '/report', { reason: 'spam' }],
      ] as const) {
        const { status, body } = await talk.call(who, method, part, payload)
        expect([who, part, status, body.error]).toEqual([who, part, 404, 'chat_not_found'])
      }
    }
    const unknown = scene.app.services.chats.show(talk.actor('rider'), uuidv7())
    expect(await refusalOf(unknown)).toBe('chat_not_found')
    await scene.pool.query(`update bookings set driver = null, status = 'NEW' where id = $1`, [talk.booking])
    for (const who of ['rider', 'driver'] as const) {
      expect((await talk.call(who, 'GET', '')).body.error).toBe('chat_not_found')
    }
  })

  test('another driver -> a conversation of their own; the rider follows the present one', async () => {
    const talk = await scene.talk()
    await talk.send('rider', 'For the first driver')
    await scene.pool.query(`update bookings set driver = $2 where id = $1`, [
      talk.booking,
      talk.ids.otherDriver,
    ])
    expect((await talk.call('driver', 'GET', '')).body.error).toBe('chat_not_found')
    expect((await talk.call('otherDriver', 'GET', '')).body.messages).toEqual([])
    await talk.send('otherDriver', 'I took over')
    const { body } = await talk.call('rider', 'GET', '')
    expect(body.messages.map(({ seq, message }: Record<string, unknown>) => [seq, message])).toEqual([
      [1, 'I took over'],
    ])
    const all = await talk.call('admin', 'POST', '/read')
    expect(all.body.conversations.map(({ driver }: { driver: string }) => driver)).toEqual([
      talk.ids.driver,
      talk.ids.otherDriver,
    ])
  })

  test('rider without an account -> no chat', async () => {
    const talk = await scene.talk()
    await scene.pool.query('update users set email = null, created_by_admin = true where id = $1', [
      talk.ids.rider,
    ])
    expect((await talk.call('driver', 'GET', '')).body.error).toBe('chat_not_found')
  })
})

describe('marks', () => {
  test('received, read -> shown to the other; never back, never beyond the last', async () => {
    const talk = await scene.talk()
    for (const text of ['a', 'b', 'c']) await talk.send('driver', text)
    expect((await talk.call('rider', 'POST', '/marks', { delivered: 2, read: 1 })).body).toEqual({
      rider: { delivered: 2, read: 1 },
      driver: { delivered: 0, read: 0 },
    })
    await talk.call('rider', 'POST', '/marks', { delivered: 1 })
    expect((await talk.call('rider', 'POST', '/marks', { read: 999 })).body.rider).toEqual({
      delivered: 3,
      read: 3,
    })
    expect((await talk.call('driver', 'GET', '')).body.marks.rider).toEqual({ delivered: 3, read: 3 })
  })

  test('before the first message -> zero', async () => {
    const talk = await scene.talk()
    const { body } = await talk.call('rider', 'POST', '/marks', { read: 5 })
    expect(body.rider).toEqual({ delivered: 0, read: 0 })
  })
})

describe('block', () => {
  test('blocked -> refused in both directions until the same person unblocks', async () => {
    const talk = await scene.talk()
    expect((await talk.call('rider', 'POST', '/block')).body).toEqual({
      state: 'blocked',
      blockedBy: ['rider'],
    })
    expect(await refusalOf(talk.send('driver', 'Hello'))).toBe('chat_blocked')
    expect(await refusalOf(talk.send('rider', 'Hello'))).toBe('chat_blocked')
    await talk.call('driver', 'POST', '/unblock')
    expect(await refusalOf(talk.send('driver', 'Hello'))).toBe('chat_blocked')
    expect((await talk.call('rider', 'POST', '/unblock')).body).toEqual({ state: 'open', blockedBy: [] })
    expect((await talk.send('driver', 'Hello')).seq).toBe(1)
    await talk.setStatus('PAID')
    expect((await talk.call('rider', 'POST', '/block')).body.error).toBe('chat_closed')
  })

  test('block beside messages -> what is stored came before it', async () => {
    const talk = await scene.talk()
    const sending = Array.from({ length: 10 }, (_, n) => refusalOf(talk.send('driver', `${n}`)))
    const blocking = talk.call('rider', 'POST', '/block')
    const outcomes = await Promise.all(sending)
    await blocking
    const stored = await talk.stored()
    expect(stored).toHaveLength(outcomes.filter((key) => key === null).length)
    expect(outcomes.every((key) => key === null || key === 'chat_blocked')).toBe(true)
    expect(await refusalOf(talk.send('driver', 'after'))).toBe('chat_blocked')
  })
})

describe('reports', () => {
  test('reported twice -> one open report, which an admin reads and settles once', async () => {
    const talk = await scene.talk()
    await talk.send('driver', 'Something rude')
    const report = { reason: 'abusive', note: 'See above' }
    const [first, second] = await Promise.all([
      talk.call('rider', 'POST', '/report', report),
      talk.call('rider', 'POST', '/report', report),
    ])
    expect(first.body).toEqual(second.body)
    const read = await talk.call('admin', 'POST', '/read')
    expect(read.status, JSON.stringify(read.body)).toBe(200)
    expect(read.body.conversations[0].messages).toMatchObject([{ message: 'Something rude' }])
    expect(read.body.reports).toMatchObject([{ by: 'rider', ...report, settled_at: null }])
    const settle = () =>
      scene.app.server.inject({
        method: 'POST',
        url: `/api/v1/chat-reports/${read.body.reports[0].id}/settle`,
        headers: { authorization: talk.bearers.admin },
        payload: { note: 'Called the driver' },
      })
    expect((await settle()).json()).toMatchObject({ settled_note: 'Called the driver' })
    expect((await settle()).json().error).toBe('conflict')
    const { rows } = await scene.pool.query('select action from audit_log where subject = $1 order by id', [
      talk.booking,
    ])
    expect(rows).toEqual([{ action: 'chats.read' }, { action: 'chats.settleReport' }])
    for (const who of ['rider', 'driver', 'fleetadmin'] as const) {
      expect((await talk.call(who, 'POST', '/read')).body.error).toBe('not_found')
    }
  })

  test('every other connection of the pool in use -> an admin still reads the conversation', async () => {
    const talk = await scene.talk()
    await talk.send('driver', 'I am here')
    await scene.published()
    const read = await withOneConnection(scene.pool, () => talk.call('admin', 'POST', '/read'))
    expect(read).toMatchObject({ status: 200, body: { conversations: [{ messages: [{}] }] } })
  })
})
