import { reducers } from '@hansom/client/live-topics'
import type { ChatEvent, ChatView } from '@hansom/contract/chats'
import { chatTopic, type ServerFrame } from '@hansom/contract/live'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../platform/live/test-live.ts'
import { type ChatScene, createChatScene } from './chats.fixture.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await createChatScene()
})
afterAll(() => scene.close())

const isEvent =
  (accepts: (event: Record<string, unknown>) => boolean) => (frame: Extract<ServerFrame, { t: 'ev' }>) =>
    accepts(frame.data as Record<string, unknown>)

/** Applies the frames of a topic as a client does. */
function viewOf(frames: readonly ServerFrame[], topic: string, view?: ChatView): ChatView | undefined {
  let current = view
  for (const frame of frames) {
    if (!('topic' in frame) || frame.topic !== topic) continue
    if (frame.t === 'snap') current = reducers.chat.snapshot(current, frame.data as ChatView)
    if (frame.t === 'ev') current = reducers.chat.event(current, frame.data as ChatEvent)
  }
  return current
}

describe('topic', () => {
  test('message, marks, block, typing, end -> on the other screen', async () => {
    const talk = await scene.talk()
    const topic = chatTopic(talk.booking)
    const [rider, driver] = [await talk.socket('rider'), await talk.socket('driver')]
    await rider.follow(topic)
    await driver.follow(topic)
    await talk.send('driver', 'Hello')
    const arrived = await rider.frame(
      'ev',
      isEvent((event) => 'message' in event),
    )
    expect(arrived.data).toMatchObject({ message: { seq: 1, message: 'Hello', source: 'driver' } })
    await talk.call('rider', 'POST', '/marks', { read: 1 })
    const marks = await driver.frame(
      'ev',
      isEvent((event) => 'marks' in event),
    )
    expect(marks.data).toMatchObject({ marks: { rider: { delivered: 1, read: 1 } } })
    await talk.call('rider', 'POST', '/typing')
    expect(await driver.frame('vol')).toMatchObject({ topic, data: { typing: 'rider' } })
    await talk.call('rider', 'POST', '/block')
    await driver.frame(
      'ev',
      isEvent((event) => event.state === 'blocked'),
    )
    await talk.call('rider', 'POST', '/unblock')
    const { commands } = scene.app.services.bookingsFeature.bookings
    const order = { actor: talk.actor('driver'), id: talk.booking, key: null }
    await commands.arrive(order)
    await commands.cancel({ ...order, actor: talk.actor('rider') }, { reason: 'Plans changed' })
    await driver.frame(
      'ev',
      isEvent((event) => event.state === 'closed'),
    )
    for (const client of [rider, driver]) client.ws.terminate()
  })

  test('typing more often -> published once', async () => {
    const talk = await scene.talk()
    const driver = await talk.socket('driver')
    await driver.follow(chatTopic(talk.booking))
    await Promise.all(Array.from({ length: 6 }, () => talk.call('rider', 'POST', '/typing')))
    await talk.send('rider', 'done')
    await driver.frame('ev')
    expect(driver.frames.filter(({ t }) => t === 'vol')).toHaveLength(1)
    driver.ws.terminate()
  })

  test('trip given to another driver -> the former one is cut off, the rider follows the new one', async () => {
    const talk = await scene.talk()
    const topic = chatTopic(talk.booking)
    const [rider, driver] = [await talk.socket('rider'), await talk.socket('driver')]
    await rider.follow(topic)
    await driver.follow(topic)
    await talk.send('rider', 'For the first driver')
    await driver.frame('ev')
    const { commands } = scene.app.services.bookingsFeature.bookings
    await commands.withdraw_driver(
      { actor: talk.actor('admin'), id: talk.booking, key: null },
      { reason: 'Broken car' },
    )
    await Promise.all([driver.frame('err'), rider.frame('err')])
    await scene.pool.query(`update bookings set driver = $2, status = 'ACCEPTED' where id = $1`, [
      talk.booking,
      talk.ids.otherDriver,
    ])
    await rider.follow(topic)
    expect(viewOf(rider.frames, topic)).toMatchObject({ driver: talk.ids.otherDriver, messages: [] })
    await talk.send('otherDriver', 'Hello')
    await rider.frame(
      'ev',
      isEvent((event) => JSON.stringify(event).includes('Hello')),
    )
    expect(JSON.stringify(driver.frames)).not.toContain('Hello')
    for (const client of [rider, driver]) client.ws.terminate()
  })
})

test('socket dropped at any moment, many times -> every message once, without a gap', async () => {
  const talk = await scene.talk()
  const topic = chatTopic(talk.booking)
  const total = 60
  let view: ChatView | undefined
  let seen: { epoch: string; seq: number } | undefined
  let rider: TestClient = await talk.socket('rider')
  let isDone = false
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const drops: number[] = []

  const listen = (async () => {
    while (!isDone || view?.messages.length !== total) {
      rider.send({ t: 'sub', topic, seen })
      const enough = drops.length % 7
      await rider.frame('live', (frame) => frame.topic === topic)
      // Reads none, or some, of what follows before the connection breaks.
      if (enough > 0 && !isDone) await Promise.race([rider.frame('ev'), done])
      const frames = [...rider.frames]
      rider.ws.terminate()
      drops.push(frames.length)
      view = viewOf(frames, topic, view)
      const last = frames.findLast((frame) => 'epoch' in frame && frame.topic === topic)
      if (last && 'epoch' in last) seen = { epoch: last.epoch, seq: last.seq }
      rider = await talk.socket('rider')
    }
  })()
  // In turns, so that each message may meet a dropped connection; below the limit of a burst.
  for (let n = 1; n <= total / 2; n++) {
    await Promise.all([talk.send('driver', `d${n}`), talk.send('rider', `r${n}`)])
  }
  await scene.published()
  isDone = true
  // No event follows the last one.
  finish()
  await listen
  rider.ws.terminate()
  const newest = (await talk.call('rider', 'GET', '')).body as ChatView
  expect(drops.length).toBeGreaterThan(5)
  expect(view?.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, n) => total - n))
  expect(view?.messages.slice(0, newest.messages.length)).toEqual(newest.messages)
})
