import { ApiError } from '@hansom/client/api-error'
import type { BookingView } from '@hansom/contract/bookings'
import type { Me } from '@hansom/contract/users'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { orpc } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'
import { signOut, storeMe } from '../../lib/session.ts'
import { keptPositions, keptSteps } from '../../lib/stored-keys.ts'
import { DriverOutbox, type OutboxCalls } from './offline-queue.ts'
import { tripOf } from './trip.fixture.ts'
import { driverOutboxOf, sendOutbox } from './use-offline-queue.ts'

const trip = tripOf()
const cached = () => queryClient.getQueryData(orpc.bookings.get.queryKey({ input: { id: trip.id } }))
const deliver = {
  booking: trip.id,
  step: 'deliver',
  stop: 1,
  images: [{ kind: 'photo', file: 'p' }],
} as const
const end = { booking: trip.id, step: 'reach' } as const

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
})
afterEach(() => vi.unstubAllGlobals())

/** A driver's outbox; the server answers `hang`, a call, when the test says so, and all others at once. */
function outboxWith(hang: keyof OutboxCalls) {
  const heard: string[] = []
  let signal: AbortSignal | undefined
  let settle: (refusal?: ApiError) => void = () => {}
  const answer = <Answer>(name: keyof OutboxCalls, given: AbortSignal, value: Answer) => {
    heard.push(name)
    if (name !== hang) return Promise.resolve(value)
    signal = given
    return new Promise<Answer>((resolve, reject) => {
      settle = (refusal) => (refusal ? reject(refusal) : resolve(value))
    })
  }
  const refused = vi.fn()
  const outbox = new DriverOutbox(
    'd',
    {
      report: (_positions, given) => answer('report', given, null),
      upload: (_step, _image, given) => answer<BookingView | null>('upload', given, trip),
      step: (_step, given) => answer('step', given, trip),
      forget: () => {},
    },
    refused,
  )
  return {
    outbox,
    heard,
    refused,
    isAborted: () => signal?.aborted,
    settle: (refusal?: ApiError) => settle(refusal),
  }
}
const called = (heard: string[], name: string) => vi.waitFor(() => expect(heard).toContain(name))

it.each(['upload', 'step', 'report'] as const)(
  'driver leaves while a call is under way: %s -> aborted, its answer is not used, nothing more is sent',
  async (hang) => {
    const { outbox, heard, refused, isAborted, settle } = outboxWith(hang)
    outbox.positions.add({ lat: 0, lng: 0, at: 1 })
    const sent = outbox.steps.add(deliver)
    await called(heard, hang)
    // The picture's answer has been stored before the step.
    queryClient.clear()
    const [sentBefore, stored] = [heard.length, localStorage.getItem(keptSteps)]
    outbox.leave()
    settle()
    await sent
    expect([isAborted(), heard.length, cached()]).toEqual([true, sentBefore, undefined])
    await outbox.steps.flush()
    await outbox.flushPositions().catch(() => {})
    await outbox.steps.add(end)
    expect([heard.length, refused.mock.calls, localStorage.getItem(keptSteps)]).toEqual([
      sentBefore,
      [],
      stored,
    ])
  },
)

it('driver leaves, then the step is refused -> not told to the next user', async () => {
  const { outbox, heard, refused, settle } = outboxWith('step')
  const sent = outbox.steps.add(end)
  await called(heard, 'step')
  outbox.leave()
  settle(new ApiError('wrong_status', 409))
  await sent
  expect(refused).not.toHaveBeenCalled()
})

it('sent again while it is sent -> resolves when that is done', async () => {
  const { outbox, heard, settle } = outboxWith('step')
  void outbox.steps.add(end)
  await called(heard, 'step')
  let isDone = false
  const sent = outbox.steps.flush().then(() => (isDone = true))
  await new Promise((resolve) => setTimeout(resolve))
  expect(isDone).toBe(false)
  settle()
  await sent
  expect([outbox.steps.list(), heard]).toEqual([[], ['step']])
})

it('driver signs out while a step is sent -> the call is aborted; signed in again -> a new outbox, which sends', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  vi.stubGlobal('location', { origin: 'http://localhost' })
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.includes('/auth/')) return Response.json({})
    signals.push(init?.signal)
    return new Promise(() => {})
  })
  storeMe({ uid: 'd', version: 1 } as Me)
  const before = driverOutboxOf('d')
  void before.steps.add(end)
  await vi.waitFor(() => expect(signals).toHaveLength(1))
  await signOut()
  expect(signals[0]?.aborted).toBe(true)
  storeMe({ uid: 'd', version: 1 } as Me)
  void before.steps.add(end)
  expect(driverOutboxOf('d')).not.toBe(before)
  void driverOutboxOf('d').steps.add(end)
  await vi.waitFor(() => expect(signals).toHaveLength(2))
  expect(driverOutboxOf('d').steps.list()).toHaveLength(1)
})

it('driver signs out in a page that has measured nothing -> what another page has stored is sent', async () => {
  const bodies: unknown[] = []
  vi.stubGlobal('location', { origin: 'http://localhost' })
  vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
    bodies.push(JSON.parse(String(init?.body)))
    return Response.json({})
  })
  storeMe({ uid: 'e', version: 1 } as Me)
  driverOutboxOf('e')
  const positions = [{ lat: 1, lng: 2, at: 3 }]
  localStorage.setItem(keptPositions, JSON.stringify({ uid: 'e', items: positions }))
  await sendOutbox('e')
  expect([bodies, localStorage.getItem(keptPositions)]).toEqual([[{ positions }], null])
})
