import { randomUUID } from 'node:crypto'
import { chatLimits } from '@hansom/domain/chats/chat'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gradient } from '../../adapters/storage/port.suite.ts'
import { storedPath } from '../../adapters/storage/port.ts'
import { anonymise, eraseAccount } from '../users/admin/remove-user.ts'
import { type ChatScene, createChatScene, type Talk } from './chats.fixture.ts'
import { createOwnChats, type OwnChats } from './own-chats.ts'
import { createChatPhotosService } from './photos.ts'

let scene: ChatScene
let picture: Buffer
let own: OwnChats
beforeAll(async () => {
  scene = await createChatScene()
  const { database, storage, services } = scene.app
  own = createOwnChats({ database, storage, settings: services.settings })
  const drawn = (await gradient(60, 30)).withExif({ IFD0: { Make: 'Secret camera' } })
  picture = await drawn.jpeg().toBuffer()
})
afterAll(() => scene.close())

/** Uploads a photo as a page does. */
async function upload(talk: Talk, who: 'rider' | 'driver' | 'otherRider', smsId = `sms-${randomUUID()}`) {
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'a.jpg')
  const request = new Request('http://x.test', { method: 'POST', body: form })
  const answer = await scene.app.server.inject({
    method: 'POST',
    url: `/api/v1/bookings/${talk.booking}/chat/photos?smsId=${smsId}`,
    headers: {
      authorization: talk.bearers[who],
      'content-type': request.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const seenBy = (talk: Talk, who: keyof Talk['bearers'], url: string) =>
  scene.app.server.inject({ url, headers: { authorization: talk.bearers[who] } })

describe('photos', () => {
  test('sent -> drawn again without metadata, for the two people and admins only', async () => {
    const talk = await scene.talk()
    const sent = await upload(talk, 'rider')
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    expect(sent.body).toMatchObject({ seq: 1, kind: 'photo', message: '', source: 'rider' })
    for (const who of ['rider', 'driver', 'admin'] as const) {
      const shown = await seenBy(talk, who, sent.body.photo)
      expect([who, shown.statusCode, shown.headers['content-type']]).toEqual([who, 200, 'image/webp'])
      const { width, exif } = await sharp(shown.rawPayload).metadata()
      expect([width, exif]).toEqual([60, undefined])
    }
    for (const who of ['otherRider', 'otherDriver', 'fleetadmin', 'requested'] as const) {
      const refused = await seenBy(talk, who, sent.body.photo)
      expect([who, refused.statusCode, refused.json().error]).toEqual([who, 404, 'chat_not_found'])
    }
    const other = await scene.talk()
    const elsewhere = sent.body.photo.replace(talk.booking, other.booking)
    expect((await seenBy(other, 'rider', elsewhere)).statusCode).toBe(404)
  })

  test('same key twice -> one message and one file', async () => {
    const talk = await scene.talk()
    const [first, second] = [
      await upload(talk, 'rider', 'photo-key'),
      await upload(talk, 'rider', 'photo-key'),
    ]
    expect(second.body).toEqual(first.body)
    const { rows } = await scene.pool.query('select photos from chats where booking_id = $1', [talk.booking])
    expect(rows).toEqual([{ photos: 1 }])
  })

  test('known key after the end -> the stored message; a new one -> chat_closed', async () => {
    const talk = await scene.talk()
    const sent = await upload(talk, 'rider', 'photo-key')
    await talk.setStatus('PAID')
    expect(await upload(talk, 'rider', 'photo-key')).toEqual(sent)
    expect((await upload(talk, 'rider')).body.error).toBe('chat_closed')
  })

  test('seen by an admin -> audited and not cached; closed while a demo hides contacts', async () => {
    const talk = await scene.talk()
    const { body } = await upload(talk, 'rider')
    const shown = await seenBy(talk, 'admin', body.photo)
    expect([shown.statusCode, shown.headers['cache-control']]).toEqual([200, 'no-store'])
    const { rows } = await scene.pool.query(
      `select action, after from audit_log where subject = $1 and action = 'chats.read'`,
      [talk.booking],
    )
    expect(rows).toEqual([{ action: 'chats.read', after: { chat_messages: 1 } }])

    const { database, storage, services } = scene.app
    const onDemo = createChatPhotosService({
      database,
      storage,
      clock: { now: () => 0 },
      settings: {
        current: async () => ({ ...(await services.settings.current()), AllowCriticalEditsAdmin: false }),
      },
      images: { prepare: () => Promise.reject(new Error('not used')) },
      chats: services.chats,
    })
    await expect(onDemo.read(talk.actor('admin'), talk.booking, body.id)).rejects.toThrow('demo_mode')
  })

  test('photos opened by an admin after the conversation, or often -> one row of each admin and hour', async () => {
    const talk = await scene.talk()
    const { body } = await upload(talk, 'rider')
    const times = async () =>
      (
        await scene.pool.query<{ by_user: string }>(
          `select by_user from audit_log where subject = $1 and action = 'chats.read'`,
          [talk.booking],
        )
      ).rows.length
    const open = () => seenBy(talk, 'admin', body.photo)
    await Promise.all(Array.from({ length: 5 }, open))
    expect(await times()).toBe(1)
    await talk.call('admin', 'POST', '/read')
    await talk.call('admin', 'POST', '/read')
    expect(await times()).toBe(3)
    await open()
    expect(await times()).toBe(3)
    // Another admin, and the same one an hour later.
    const { database, storage, services } = scene.app
    const at = (now: number) =>
      createChatPhotosService({
        database,
        storage,
        clock: { now: () => now },
        settings: services.settings,
        images: { prepare: () => Promise.reject(new Error('not used')) },
        chats: services.chats,
      })
    await at(Date.now()).read({ ...talk.actor('admin'), id: talk.ids.fleetadmin }, talk.booking, body.id)
    expect(await times()).toBe(4)
    await at(Date.now() + 3_500_000).read(talk.actor('admin'), talk.booking, body.id)
    expect(await times()).toBe(4)
    await at(Date.now() + 3_700_000).read(talk.actor('admin'), talk.booking, body.id)
    expect(await times()).toBe(5)
  })

  test('stranger, closed, too many -> refused before the image is stored', async () => {
    const talk = await scene.talk()
    expect((await upload(talk, 'otherRider')).body.error).toBe('chat_not_found')
    await talk.send('rider', 'first')
    await scene.pool.query('update chats set photos = $2 where booking_id = $1', [
      talk.booking,
      chatLimits.photos,
    ])
    expect((await upload(talk, 'rider')).body.error).toBe('too_many_photos')
    await talk.setStatus('COMPLETE')
    expect((await upload(talk, 'rider')).body.error).toBe('chat_closed')
  })

  test('not an image -> unsupported_media', async () => {
    const talk = await scene.talk()
    const kept = picture
    picture = Buffer.from('not an image')
    expect((await upload(talk, 'rider')).body.error).toBe('unsupported_media')
    picture = kept
    expect(await talk.stored()).toEqual([])
  })
})

describe('notifications', () => {
  const notified = async (id: string) =>
    (
      await scene.pool.query(
        `select title, msg, params->>'text' as text, params->>'name' as name, screen, read_at is not null as read
          from user_notifications where user_id = $1 order by id`,
        [id],
      )
    ).rows

  test('several unread messages -> one notification, read with the conversation', async () => {
    const talk = await scene.talk()
    const { rider } = talk.ids
    await scene.pool.query(`update bookings set driver_name = 'Dora' where id = $1`, [talk.booking])
    for (const text of ['I am here', 'Where are you?']) await talk.send('driver', text)
    await scene.published()
    const first = {
      title: 'notify.chat_message.title',
      msg: 'notify.chat_message.msg',
      text: 'I am here',
      name: 'Dora',
      screen: 'onlineChat',
    }
    expect(await notified(rider)).toEqual([{ ...first, read: false }])
    await talk.call('rider', 'POST', '/marks', { delivered: 2 })
    expect(await notified(rider)).toEqual([{ ...first, read: false }])
    await talk.call('rider', 'POST', '/marks', { read: 2 })
    expect(await notified(rider)).toEqual([{ ...first, read: true }])
    await upload(talk, 'driver')
    await scene.published()
    // The next one takes the place of the one that was read.
    expect(await notified(rider)).toMatchObject([{ msg: 'notify.chat_photo.msg', text: null, read: false }])
    expect(await notified(talk.ids.driver)).toEqual([])
  })

  test('marked as read in the list, the conversation not opened -> the next message is listed again', async () => {
    const talk = await scene.talk()
    const { rider } = talk.ids
    await talk.send('driver', 'I am here')
    await scene.published()
    const headers = { authorization: talk.bearers.rider }
    const url = '/api/v1/me/notifications/read'
    await scene.app.server.inject({ method: 'POST', url, headers, payload: {} })
    await talk.send('driver', 'Where are you?')
    await talk.send('driver', 'Hello?')
    await scene.published()
    expect(await notified(rider)).toMatchObject([{ text: 'Where are you?', read: false }])
  })

  test('an admin takes the trip from its driver -> what was written disappears from both lists', async () => {
    const talk = await scene.talk()
    await talk.send('driver', 'I am here')
    await talk.send('rider', 'At the blue gate')
    await scene.published()
    const answer = await scene.app.server.inject({
      method: 'POST',
      url: `/api/v1/bookings/${talk.booking}/withdraw-driver`,
      headers: { authorization: talk.bearers.admin },
      payload: { reason: 'The car broke down' },
    })
    expect(answer.statusCode, answer.body).toBe(200)
    await scene.published()
    const chats = async (id: string) =>
      (await notified(id)).filter(({ screen }) => screen === 'onlineChat').map(({ read }) => read)
    expect(await chats(talk.ids.rider)).toEqual([true])
    expect(await chats(talk.ids.driver)).toEqual([])
  })

  test('unread messages -> counted in the lists of both people, not of admins', async () => {
    const talk = await scene.talk()
    const counts = () =>
      Promise.all(
        (['rider', 'driver', 'admin'] as const).map(async (who) => {
          const { items } = (await seenBy(talk, who, '/api/v1/bookings')).json()
          return items.find(({ id }: { id: string }) => id === talk.booking)?.unread_messages
        }),
      )
    for (const text of ['One', 'Two']) await talk.send('driver', text)
    await talk.send('rider', 'Three')
    expect(await counts()).toEqual([2, 1, 0])
    await talk.call('rider', 'POST', '/marks', { delivered: 3, read: 1 })
    expect(await counts()).toEqual([1, 1, 0])
  })

  test('messages and open reports of every driver -> counted in the list of admins only', async () => {
    const talk = await scene.talk()
    const listed = async (who: 'rider' | 'driver' | 'admin' | 'fleetadmin') => {
      const { items } = (await seenBy(talk, who, '/api/v1/bookings')).json()
      return items.find(({ id }: { id: string }) => id === talk.booking)?.chat
    }
    expect(await listed('admin')).toBeNull()
    for (const text of ['One', 'Two']) await talk.send('driver', text)
    await scene.pool.query('insert into chats (booking_id, driver_id, created_at) values ($1, $2, 1)', [
      talk.booking,
      talk.ids.otherDriver,
    ])
    const { at } = await talk.send('rider', 'Three')
    expect(await listed('admin')).toEqual({ messages: 3, last_at: at, reports: 0, report: null })
    await talk.call('rider', 'POST', '/report', { reason: 'other' })
    await talk.call('driver', 'POST', '/report', { reason: 'abusive' })
    const reported = `update chat_reports set at = case by when 'rider' then 1 else $2::int8 end where booking_id = $1`
    const newest = Date.parse('2026-03-02T12:00:00Z')
    await scene.pool.query(reported, [talk.booking, newest])
    const report = { reason: 'abusive', at: newest }
    expect(await listed('admin')).toEqual({ messages: 3, last_at: at, reports: 2, report })
    const found = async (filter: string, who: 'admin' | 'fleetadmin' = 'admin') =>
      (await seenBy(talk, who, `/api/v1/bookings?${filter}`)).json().items?.length
    const day = 'reported=2026-03-02..2026-03-02'
    expect([await found(day), await found(`${day}&chat_report=open`)]).toEqual([1, 1])
    expect(await found(`${day}&chat_report=abusive,fraud`)).toBe(1)
    expect(await found(`${day}&chat_report=fraud`)).toBe(0)
    expect(await found('reported=2026-03-03..2026-03-04')).toBe(0)
    expect([await found(day, 'fleetadmin'), await found('chat_report=abusive', 'fleetadmin')]).toEqual([
      undefined,
      undefined,
    ])
    const settled = `update chat_reports set settled_at = 2, settled_by = by_user, settled_note = 'x' where by = 'rider'`
    await scene.pool.query(`${settled} and booking_id = $1`, [talk.booking])
    expect(await listed('admin')).toMatchObject({ reports: 1 })
    for (const who of ['rider', 'driver', 'fleetadmin'] as const)
      expect([who, await listed(who)]).toEqual([who, null])
  })

  test('quick reply -> in the language of its reader', async () => {
    const talk = await scene.talk()
    await scene.pool.query(`update users set locale = 'ar' where id = $1`, [talk.ids.rider])
    await talk.quick('driver', 'arrived')
    await scene.published()
    expect((await notified(talk.ids.rider))[0]?.text).toBe('وصلت')
    expect((await talk.stored())[0]?.message).toBe('I’ve arrived')
  })
})

describe('data of people', () => {
  const erase = async (id: string) => {
    const { database } = scene.app
    await database.withTransaction(async (tx) => {
      const [user] = await scene.app.services.users.lock(tx, [id]).then((found) => [...found.values()])
      if (user === undefined) throw new Error('unknown user id')
      await anonymise(tx, user, 1)
    })
    while ((await own.removePhotos(id, 1)) > 0) {}
    expect(await eraseAccount({ database, now: () => 1 }, id)).toBe(true)
  }

  test("account erased -> own texts, photos and quotes gone, the other's stay", async () => {
    const talk = await scene.talk()
    await talk.send('rider', 'My flat number')
    await talk.quick('rider', 'coming')
    const photo = await upload(talk, 'rider')
    await talk.send('driver', 'I see you')
    await talk.call('rider', 'POST', '/report', { reason: 'other', note: 'My note' })
    await scene.published()
    const { rows } = await scene.pool.query<{ photo: string }>(
      'select photo from chat_messages where photo is not null and booking_id = $1',
      [talk.booking],
    )
    const file = storedPath.chatPhoto(talk.booking, rows[0]?.photo ?? '')
    expect(await scene.app.storage.get(file)).not.toBeNull()
    await erase(talk.ids.rider)
    const { body } = await talk.call('driver', 'GET', '')
    expect(body.messages.map(({ kind, message }: Record<string, unknown>) => [kind, message])).toEqual([
      ['text', 'I see you'],
      ['removed', ''],
      ['removed', ''],
      ['removed', ''],
    ])
    expect((await seenBy(talk, 'driver', photo.body.photo)).statusCode).toBe(404)
    expect(await scene.app.storage.get(file)).toBeNull()
    const left = await scene.pool.query(
      `select (select params->>'text' from user_notifications where user_id = $1) as quote,
        (select note from chat_reports where booking_id = $2) as note`,
      [talk.ids.driver, talk.booking],
    )
    expect(left.rows).toEqual([{ quote: null, note: '' }])
  })

  test('export -> the messages and reports that the person wrote, as plain text', async () => {
    const talk = await scene.talk()
    await talk.send('driver', 'Not mine')
    await talk.quick('rider', 'coming')
    await talk.send('rider', 'Mine')
    await talk.call('driver', 'POST', '/report', { reason: 'spam', note: 'Not mine' })
    await talk.call('rider', 'POST', '/report', { reason: 'abusive', note: 'My report' })
    let text = ''
    for await (const part of scene.app.services.userAdmin.ownData(talk.ids.rider)) text += part
    const { chatMessages, chatReports } = JSON.parse(text)
    expect(chatMessages).toMatchObject([
      { booking: talk.booking, message: 'Mine' },
      { booking: talk.booking, message: 'I’m coming', quick: 'coming' },
    ])
    expect(chatMessages).toHaveLength(2)
    expect(chatReports).toEqual([
      { booking: talk.booking, reason: 'abusive', note: 'My report', at: expect.any(Number) },
    ])
  })

  test('retention -> conversations and photos of ended trips, unless a report is open', async () => {
    const [ended, reported, open] = [await scene.talk(), await scene.talk(), await scene.talk()]
    for (const talk of [ended, reported, open]) await upload(talk, 'rider')
    await scene.published()
    await reported.call('driver', 'POST', '/report', { reason: 'spam' })
    for (const talk of [ended, reported]) await talk.setStatus('COMPLETE')
    await scene.pool.query(`update bookings set tripdate = 1, closed_at = 1 where status = 'COMPLETE'`)
    const { rows } = await scene.pool.query<{ photo: string }>(
      'select photo from chat_messages where booking_id = $1',
      [ended.booking],
    )
    while ((await own.clearEnded(2, 1)) > 0) {}
    expect([await ended.stored(), (await reported.stored()).length, (await open.stored()).length]).toEqual([
      [],
      1,
      1,
    ])
    expect(await scene.app.storage.get(storedPath.chatPhoto(ended.booking, rows[0]?.photo ?? ''))).toBeNull()
    expect((await ended.call('rider', 'GET', '')).body).toMatchObject({ state: 'closed', messages: [] })
    const notified = await scene.pool.query(
      'select booking_id from user_notifications where booking_id = any($1)',
      [[ended.booking, open.booking]],
    )
    expect(notified.rows).toEqual([{ booking_id: open.booking }])
  })
})
