import type { BookingView } from '@hansom/contract/bookings'
import type { Me } from '@hansom/contract/users'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storeBooking } from '../../lib/live.ts'
import { handleSessionEnd, storeMe } from '../../lib/session.ts'
import { startEnglish } from '../../lib/test-data.fixture.ts'
import { leaveSafely, readUnsent } from './leave.ts'
import { leaveQuestion, leaving } from './leave-question.ts'
import { UnsentDialog } from './unsent-dialog.tsx'

const trip = '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f'
const keep = (name: string, items: unknown[], uid = 'd') =>
  localStorage.setItem(`hansom-${name}`, JSON.stringify({ uid, items }))
const step = { booking: trip, images: [{ isSent: true }, {}] }

let end: ReturnType<typeof vi.fn<() => Promise<void>>>
let online: boolean
beforeEach(() => {
  localStorage.clear()
  startEnglish({})
  storeMe({ uid: 'd', version: 1 } as Me)
  end = vi.fn(async () => {})
  online = false
  leaving.sendSteps = async () => {}
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const asked = () => vi.waitFor(() => expect(leaveQuestion.current()).not.toBeNull())
const answer = (isLeaving: boolean) => leaveQuestion.current()?.answer(isLeaving)

it('unsent: steps, photos, positions of a trip, messages, alarm -> counted; what is refused, old or another user’s -> not', () => {
  keep('driver-steps', [step, step, { booking: 'other' }])
  keep('driver-positions', [{}, {}])
  keep('chat', [{}, { refused: 'chat_closed' }])
  keep('panic', [{ at: Date.now() }])
  expect(readUnsent('d')).toEqual({
    trips: [
      { id: trip, steps: 2, photos: 2 },
      { id: 'other', steps: 1, photos: 0 },
    ],
    positions: 2,
    messages: 1,
    hasAlarm: true,
  })
  keep('driver-steps', [step], 'someone else')
  keep('chat', [{ refused: 'chat_closed' }])
  keep('panic', [{ at: Date.now() - 3_600_000 }])
  // Positions of a driver without a trip are worth nothing.
  expect(readUnsent('d')).toBeNull()
  keep('driver-positions', [{}])
  keep('driver-trip', [trip])
  expect(readUnsent('d')).toMatchObject({ trips: [], positions: 1 })
})

it('nothing unsent -> signed out without a question', async () => {
  expect(await leaveSafely(end)).toBe(true)
  expect([end.mock.calls.length, leaveQuestion.current()]).toEqual([1, null])
})

it.each([
  [false, 0],
  [true, 1],
])('no connection -> asked first; leaves: %s -> ended %i times', async (isLeaving, times) => {
  const send = vi.fn(async () => {})
  leaving.sendSteps = send
  keep('driver-steps', [step])
  const left = leaveSafely(end)
  await asked()
  expect([send.mock.calls.length, end.mock.calls.length]).toEqual([0, 0])
  answer(isLeaving)
  expect(await left).toBe(isLeaving)
  expect([end.mock.calls.length, leaveQuestion.current()]).toEqual([times, null])
})

it('connection -> sent first, signed out without a question', async () => {
  online = true
  keep('driver-steps', [step])
  leaving.sendSteps = async () => {
    localStorage.clear()
  }
  expect(await leaveSafely(end)).toBe(true)
  expect(end).toHaveBeenCalledTimes(1)
})

it('step refused while it is sent -> asked, although nothing is left', async () => {
  online = true
  keep('driver-steps', [step])
  leaving.sendSteps = async () => {
    localStorage.clear()
    leaving.refusedSteps += 1
  }
  const left = leaveSafely(end)
  await asked()
  expect(leaveQuestion.current()?.isRefused()).toBe(true)
  answer(false)
  expect(await left).toBe(false)
})

it('message refused since the user wanted to leave -> told; one refused before -> not', async () => {
  keep('chat', [{ smsId: 'old', refused: 'chat_closed' }, { smsId: 'new' }])
  const left = leaveSafely(end)
  await asked()
  expect(leaveQuestion.current()?.isRefused()).toBe(false)
  keep('chat', [{ smsId: 'old', refused: 'chat_closed' }])
  expect(leaveQuestion.current()?.isRefused()).toBe(false)
  keep(
    'chat',
    ['old', 'new'].map((smsId) => ({ smsId, refused: 'chat_closed' })),
  )
  expect([readUnsent('d'), leaveQuestion.current()?.isRefused()]).toEqual([null, true])
  answer(false)
  expect(await left).toBe(false)
})

it.each(['step', 'message'])(
  'dialog: %s refused while it is open -> not “everything is sent”',
  async (what) => {
    keep('driver-steps', [step])
    keep('chat', [{ smsId: 'one' }])
    const left = leaveSafely(end)
    await asked()
    const question = leaveQuestion.current()
    if (question) render(<UnsentDialog question={question} />)
    await screen.findByRole('list')
    localStorage.clear()
    if (what === 'step') leaving.refusedSteps += 1
    else keep('chat', [{ smsId: 'one', refused: 'chat_closed' }])
    await screen.findByText('unsent.refused', {}, { timeout: 5_000 })
    expect([screen.queryByRole('list'), screen.queryByText('unsent.sent')]).toEqual([null, null])
    expect(screen.getByText('unsent.title')).toBeDefined()
    answer(false)
    expect(await left).toBe(false)
  },
)

it('sending fails or asked twice -> one question, the first one stays', async () => {
  online = true
  keep('driver-steps', [step])
  leaving.sendSteps = () => Promise.reject(new Error('no code'))
  const first = leaveSafely(end)
  await asked()
  const second = leaveSafely(end)
  expect(await first).toBe(false)
  await asked()
  answer(true)
  expect([await second, end.mock.calls.length]).toEqual([true, 1])
})

it.each([null, 'next'])(
  'session ends while the user is asked; now here: %s -> question closed, nothing is ended',
  async (uid) => {
    keep('driver-steps', [step])
    const left = leaveSafely(end)
    await asked()
    vi.stubGlobal('location', { origin: 'http://localhost' })
    vi.stubGlobal('fetch', async () => Response.json(uid && { uid, version: 1 }))
    await handleSessionEnd()
    expect([await left, leaveQuestion.current(), end.mock.calls]).toEqual([false, null, []])
  },
)

it('session ends while the work is sent -> not asked, and the next session is not ended', async () => {
  online = true
  keep('driver-steps', [step])
  leaving.sendSteps = async () => storeMe({ uid: 'next', version: 1 } as Me)
  expect([await leaveSafely(end), leaveQuestion.current(), end.mock.calls]).toEqual([false, null, []])
})

it('dialog: names what would be lost, and says when everything is sent', async () => {
  startEnglish({
    'common.offline_trip': 'Trip {{booking_id}}',
    'unsent.steps_one': '{{count}} step',
    'unsent.steps_other': '{{count}} steps',
    'unsent.photos_one': '{{count}} photo',
    'unsent.photos_other': '{{count}} photos',
  })
  storeBooking({ id: trip, booking_id: 'K7M2PQ', version: 1 } as BookingView)
  keep('driver-steps', [step, { booking: trip }])
  const given = vi.fn()
  render(<UnsentDialog question={{ uid: 'd', isRefused: () => false, answer: given }} />)
  const list = await screen.findByRole('list')
  expect(list.textContent).toBe('Trip K7M2PQ2 steps1 photo')
  localStorage.clear()
  await screen.findByText('unsent.sent')
  fireEvent.click(screen.getByRole('button', { name: 'unsent.stay' }))
  fireEvent.click(screen.getByRole('button', { name: 'common.sign_out' }))
  expect(given.mock.calls).toEqual([[false], [true]])
})
