import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { LiveClient, type LiveSocket } from '@hansom/client/live-client'
import { reducers } from '@hansom/client/live-topics'
import type { ChatView } from '@hansom/contract/chats'
import { WebSocket } from 'ws'
import type { ChatScene, Talk } from '../../apps/server/src/features/chats/chats.fixture.ts'

/** The most bytes that pass before a connection breaks, and the longest time, ms. */
const mostBytes = 20_000
const longestMs = 1_000
/** Messages sent and bookings changed per second. */
const writesPerSecond = 40

/**
 * Both people of each conversation follow its booking and chat, through a proxy that breaks every connection at a random
 * byte or moment, `breaks` times in total, while messages are sent and bookings change. Then the breaks end. Returns the
 * times from a break until the client was up to date, ms; breaks before that are not counted. Throws when a client has
 * missed or repeated something.
 */
export async function breakConnections(
  scene: ChatScene,
  talks: readonly Talk[],
  breaks: number,
): Promise<{ times: number[] }> {
  const { port } = scene.app.server.server.address() as AddressInfo
  const proxy = await openProxy(port, breaks)
  const clients = talks.flatMap((talk) =>
    (['rider', 'driver'] as const).map((who) => follow(proxy.port, talk, talk.bearers[who])),
  )
  const writing = write(scene, talks, () => proxy.left() <= 0)
  await writing
  await scene.published()
  // The breaks have ended: everyone must arrive at the same state.
  for (const client of clients) await client.isCurrent()
  await wait(200)
  for (const talk of talks) await expectComplete(scene, talk, clients)
  for (const client of clients) client.close()
  proxy.close()
  return { times: clients.flatMap(({ times }) => times) }
}

interface Proxy {
  port: number
  left(): number
  close(): void
}

async function openProxy(port: number, breaks: number): Promise<Proxy> {
  let left = breaks
  const server: Server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let bytes = Math.random() * mostBytes
    const end = () => {
      clearTimeout(timer)
      client.destroy()
      upstream.destroy()
    }
    const cut = () => {
      if (left <= 0 || client.destroyed) return
      left -= 1
      end()
    }
    const timer = setTimeout(cut, Math.random() * longestMs)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk) => {
        bytes -= chunk.length
        // The part before the break still arrives.
        if (bytes < 0 && left > 0) to.write(chunk.subarray(0, chunk.length + bytes), cut)
        else to.write(chunk)
      })
      from.on('close', end)
      from.on('error', end)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    left: () => left,
    close: () => server.close(),
  }
}

type Client = ReturnType<typeof follow>

/** A client of one person, and what it has seen. Throws when an event leaves a gap. */
function follow(port: number, { booking }: Talk, authorization: string) {
  const times: number[] = []
  const problems: string[] = []
  let lostAt: number | null = null
  let chat: ChatView | undefined
  let version = 0
  const current = { chat: false, booking: false }
  const live = new LiveClient({
    open: () => {
      const origin = `http://127.0.0.1:${port}`
      const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { origin, headers: { authorization } })
      // A close follows.
      socket.on('error', () => {})
      // A break before the client is up to date begins the time again, also one before the server has said hello.
      socket.on('close', () => {
        lostAt = performance.now()
      })
      return socket as unknown as LiveSocket
    },
  })
  const setCurrent = (topic: keyof typeof current, isCurrent: boolean) => {
    const wasAll = current.chat && current.booking
    current[topic] = isCurrent
    if (!isCurrent) {
      if (wasAll || lostAt === null) lostAt = performance.now()
    } else if (current.chat && current.booking && lostAt !== null) {
      times.push(performance.now() - lostAt)
      lostAt = null
    }
  }
  const numbers = () => chat?.messages.map(({ seq }) => seq) ?? []
  live.subscribe(`chat:${booking}`, {
    snapshot: (view) => {
      if ((view.messages[0]?.seq ?? 0) < (numbers()[0] ?? 0)) problems.push('chat went back')
      chat = reducers.chat.snapshot(chat, view)
    },
    event: (event) => {
      const newest = numbers()[0] ?? 0
      if ('message' in event && event.message.seq > newest + 1) problems.push(`chat lacks ${newest + 1}`)
      chat = reducers.chat.event(chat, event)
    },
    current: (isCurrent) => setCurrent('chat', isCurrent),
  })
  live.subscribe(`booking:${booking}`, {
    snapshot: (view) => {
      if (view.version < version) problems.push('booking went back')
      version = view.version
    },
    event: (view) => {
      if (view.version > version + 1) problems.push(`booking lacks ${version + 1}`)
      // A snapshot may contain what the next events repeat: clients go by the version.
      version = Math.max(version, view.version)
    },
    current: (isCurrent) => setCurrent('booking', isCurrent),
  })
  return {
    booking,
    times,
    problems,
    numbers,
    version: () => version,
    isCurrent: async () => {
      while (!(current.chat && current.booking)) await wait(50)
    },
    close: () => live.close(),
  }
}

/** Sends messages and changes bookings until `isOver`. */
async function write(scene: ChatScene, talks: readonly Talk[], isOver: () => boolean): Promise<void> {
  const pending: Promise<unknown>[] = []
  for (let at = 0; !isOver(); at++) {
    const talk = talks[at % talks.length]
    if (talk === undefined) return
    const who = Math.random() < 0.5 ? ('rider' as const) : ('driver' as const)
    pending.push(at % 4 === 3 ? changeBooking(scene, talk) : talk.send(who, `Message ${at}`))
    await wait(1_000 / writesPerSecond)
  }
  await Promise.all(pending)
}

async function changeBooking({ app }: ChatScene, talk: Talk): Promise<void> {
  const { commands } = app.services.bookingsFeature.bookings
  const payment_mode = Math.random() < 0.5 ? ('cash' as const) : ('wallet' as const)
  await commands.choose_payment({ actor: talk.actor('rider'), id: talk.booking, key: null }, { payment_mode })
}

/** Throws unless both people of a conversation have everything that is stored, once. */
async function expectComplete({ pool }: ChatScene, talk: Talk, clients: readonly Client[]): Promise<void> {
  const stored = await talk.stored()
  const { rows } = await pool.query<{ version: number }>('select version from bookings where id = $1', [
    talk.booking,
  ])
  for (const client of clients.filter(({ booking }) => booking === talk.booking)) {
    const numbers = client.numbers()
    const isComplete = numbers[0] === stored.length && client.version() === rows[0]?.version
    const isGapFree = numbers.every((seq, at) => seq === stored.length - at)
    if (!isComplete || !isGapFree || client.problems.length > 0) {
      throw new Error(
        `a client is at message ${numbers[0]} of ${stored.length}, version ${client.version()} of ${rows[0]?.version}: ${client.problems.join('; ')}`,
      )
    }
  }
}
