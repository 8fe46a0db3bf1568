import { KeptFor } from '../../lib/per-user-storage.ts'
import { currentMe, onSessionChange, signOut } from '../../lib/session.ts'
import {
  keptAlarm,
  keptMessages,
  keptPositions,
  keptSteps,
  keptTrip,
  pressMs,
} from '../../lib/stored-keys.ts'
import { leaveQuestion, leaving } from './leave-question.ts'

/** What a user's device has not sent yet. */
export interface Unsent {
  /** Steps of a driver with their photos, by trip. */
  trips: { id: string; steps: number; photos: number }[]
  /** Of the current trip. */
  positions: number
  messages: number
  hasAlarm: boolean
}

interface Step {
  booking: string
  images?: { isSent?: true }[]
}

const stored = <Item>(name: string, uid: string) => new KeptFor<Item>(localStorage, name, uid).read()

/** Reads what the user's device has not sent yet; null for nothing. */
export function readUnsent(uid: string): Unsent | null {
  const steps = stored<Step>(keptSteps, uid)
  const ids = [...new Set(steps.map(({ booking }) => booking))]
  const trips = ids.map((id) => {
    const own = steps.filter(({ booking }) => booking === id)
    const photos = own.flatMap(({ images = [] }) => images.filter(({ isSent }) => !isSent)).length
    return { id, steps: own.length, photos }
  })
  // Without a trip, nothing is measured from them.
  const isDriving = trips.length > 0 || stored(keptTrip, uid).length > 0
  const positions = isDriving ? stored(keptPositions, uid).length : 0
  // A refused message is not sent any more.
  const messages = stored<{ refused?: string }>(keptMessages, uid).filter(({ refused }) => !refused).length
  const hasAlarm = stored<{ at: number }>(keptAlarm, uid).some(({ at }) => Date.now() - at < pressMs)
  return trips.length + positions + messages > 0 || hasAlarm ? { trips, positions, messages, hasAlarm } : null
}

/** How many steps and messages of the user the server has refused. */
const countRefused = (uid: string): number =>
  leaving.refusedSteps +
  stored<{ refused?: string }>(keptMessages, uid).filter(({ refused }) => refused).length

/** How long signing out waits until everything is sent, ms. */
const sendMs = 8_000

/** Sends what waits, as far as possible. */
async function sendFirst(uid: string, { trips, positions, messages }: Unsent): Promise<void> {
  const sent = Promise.all([
    trips.length + positions > 0 ? leaving.sendSteps(uid) : null,
    messages > 0 ? import('../chats/outgoing.ts').then(({ outgoingOf }) => outgoingOf(uid).flush()) : null,
  ])
  const late = new Promise((resolve) => setTimeout(resolve, sendMs))
  // Without a connection the code may be missing, too.
  await Promise.race([sent, late]).catch(() => {})
}

/**
 * Signs out, or ends all sessions with `end`. What is unsent is sent first; if something is left, the user is asked. Resolves
 * to false if they stay. Throws an ApiError.
 */
export async function leaveSafely(end: () => Promise<unknown> = signOut): Promise<boolean> {
  const uid = currentMe()?.uid
  const before = uid === undefined ? null : readUnsent(uid)
  if (uid !== undefined && before !== null) {
    const refused = countRefused(uid)
    const isRefused = () => countRefused(uid) > refused
    if (navigator.onLine) await sendFirst(uid, before)
    const isGone = () => currentMe()?.uid !== uid
    // The session that is here now may be the next user's.
    if (isGone()) return false
    if (isRefused() || readUnsent(uid) !== null) {
      leaveQuestion.current()?.answer(false)
      let forget = () => {}
      const isLeaving = await new Promise<boolean>((resolve) => {
        const asked = {
          uid,
          isRefused,
          answer: (isYes: boolean) => {
            if (leaveQuestion.current() === asked) leaveQuestion.ask(null)
            resolve(isYes)
          },
        }
        leaveQuestion.ask(asked)
        forget = onSessionChange(() => isGone() && asked.answer(false))
      }).finally(() => forget())
      if (!isLeaving) return false
    }
  }
  await end()
  return true
}
