import { orpc } from '../../lib/api.ts'
import { KeptFor } from '../../lib/per-user-storage.ts'
import { queryClient } from '../../lib/query-client.ts'
import { currentMe, signOut } from '../../lib/session.ts'
import {
  keptAlarm,
  keptMessages,
  keptPositions,
  keptSteps,
  keptTrip,
  pressMs,
} from '../../lib/stored-keys.ts'

/** What a user's device has not sent yet. */
export interface Unsent {
  /** Steps of a driver with their photos, by trip; its code if the device knows it. */
  trips: { id: string; code: string | null; steps: number; photos: number }[]
  /** Of the current trip. */
  positions: number
  messages: number
  hasAlarm: boolean
}

interface Step {
  booking: string
  images?: { isSent?: true }[]
}

/** Reads what the user's device has not sent yet; null for nothing. */
export function readUnsent(uid: string): Unsent | null {
  const read = <Item>(name: string) => new KeptFor<Item>(localStorage, name, uid).read()
  const steps = read<Step>(keptSteps)
  const ids = [...new Set(steps.map(({ booking }) => booking))]
  const trips = ids.map((id) => {
    const own = steps.filter(({ booking }) => booking === id)
    const photos = own.flatMap(({ images = [] }) => images.filter(({ isSent }) => !isSent)).length
    return { id, code: codeOf(id), steps: own.length, photos }
  })
  // Without a trip, nothing is measured from them.
  const isDriving = trips.length > 0 || read(keptTrip).length > 0
  const positions = isDriving ? read(keptPositions).length : 0
  // A refused message is not sent any more.
  const messages = read<{ refused?: string }>(keptMessages).filter(({ refused }) => !refused).length
  const hasAlarm = read<{ at: number }>(keptAlarm).some(({ at }) => Date.now() - at < pressMs)
  return trips.length + positions + messages > 0 || hasAlarm ? { trips, positions, messages, hasAlarm } : null
}

const codeOf = (id: string): string | null =>
  queryClient.getQueryData(orpc.bookings.get.queryKey({ input: { id } }))?.booking_id ?? null

/** Sends a driver's steps; resolves to the number of refused ones. Set by the app: only drivers load its code. */
let sendSteps: (uid: string) => Promise<number> = async () => 0
export const setStepSender = (send: typeof sendSteps): void => void (sendSteps = send)

/** How long signing out waits until everything is sent, ms. */
const sendMs = 8_000

/** Sends what waits, as far as possible; resolves to the number of refused steps. */
async function sendFirst(uid: string, { trips, positions, messages }: Unsent): Promise<number> {
  const sent = (async () => {
    const [refused] = await Promise.all([
      trips.length + positions > 0 ? sendSteps(uid) : 0,
      messages > 0 ? import('../chats/outgoing.ts').then(({ outgoingOf }) => outgoingOf(uid).flush()) : null,
    ])
    return refused
  })()
  const late = new Promise<number>((resolve) => setTimeout(resolve, sendMs, 0))
  // Without a connection the code may be missing, too.
  return Promise.race([sent, late]).catch(() => 0)
}

/** The question whether the user signs out although something is unsent. */
export interface LeaveQuestion {
  uid: string
  /** A step was refused just now. */
  isRefused: boolean
  answer: (isLeaving: boolean) => void
}
let question: LeaveQuestion | null = null
const listeners = new Set<() => void>()
function ask(next: LeaveQuestion | null): void {
  question = next
  for (const listener of listeners) listener()
}
export const leaveQuestion = {
  current: () => question,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

/**
 * Signs out, or ends all sessions with `end`. What is unsent is sent first; if something is left, the user is asked. Resolves
 * to false if they stay. Throws an ApiError.
 */
export async function leaveSafely(end: () => Promise<unknown> = signOut): Promise<boolean> {
  const uid = currentMe()?.uid
  const before = uid === undefined ? null : readUnsent(uid)
  if (uid !== undefined && before !== null) {
    const refused = navigator.onLine ? await sendFirst(uid, before) : 0
    if (refused > 0 || readUnsent(uid) !== null) {
      question?.answer(false)
      const isLeaving = await new Promise<boolean>((resolve) => {
        const asked = {
          uid,
          isRefused: refused > 0,
          answer: (isYes: boolean) => {
            if (question === asked) ask(null)
            resolve(isYes)
          },
        }
        ask(asked)
      })
      if (!isLeaving) return false
    }
  }
  await end()
  return true
}
