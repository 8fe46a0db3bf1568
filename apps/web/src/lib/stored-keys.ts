/** Every key that this app stores begins like this. */
const ownKeys = /^hansom[-.]/

/** What is not sent yet, lists of one user each (`KeptFor`). */
export const keptSteps = 'hansom-driver-steps'
export const keptPositions = 'hansom-driver-positions'
export const keptMessages = 'hansom-chat'
export const keptAlarm = 'hansom-panic'
/** An alarm is sent for as long as the server counts one after the end of a trip, ms. */
export const pressMs = 15 * 60_000
/** The driver's current trip. */
export const keptTrip = 'hansom-driver-trip'
const unsentKeys: ReadonlySet<string> = new Set([keptSteps, keptPositions, keptMessages, keptAlarm, keptTrip])

/** The keys that belong to the device, and stay for its next user. Everything else of ours is the user's. */
const deviceKeys: ReadonlySet<string> = new Set([
  'hansom-theme',
  'hansom-menu-shown',
  'hansom-menu-groups',
  'hansom-single-keys',
  'hansom-dispatch-sound',
  // Only ids: who has left without a connection, and what a user has chosen about notifications in this browser.
  'hansom-left',
  'hansom-push',
  'hansom-push-later',
])

/** Users who have left in this page: what still runs for them stores nothing any more. */
const left = new Set<string>()
export const hasLeftPage = (uid: string): boolean => left.has(uid)
/** The user is signed in again, perhaps in another page. */
export const isBack = (uid: string): void => void left.delete(uid)

/**
 * Removes what the user `before` has stored on this device when `now` takes their place (null: no one). What names its user in
 * `uid` is removed unless it is theirs who is here now. A visitor's entries pass to the user who signs in. `isEnded`: the server
 * has ended the session; what is not sent yet stays, hidden, until they return or another user signs in.
 */
export function clearStored(before: string | null, now: string | null, isEnded = false): void {
  if (before !== null && before !== now) left.add(before)
  if (now !== null) left.delete(now)
  for (const store of [localStorage, sessionStorage]) {
    const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '')
    for (const key of keys) {
      if (!ownKeys.test(key) || deviceKeys.has(key)) continue
      const owner = ownerOf(store.getItem(key))
      const isLeft = owner === null ? before !== null && before !== now : owner !== now
      if (isLeft && !(isEnded && now === null && unsentKeys.has(key))) store.removeItem(key)
    }
  }
}

/** The user that a stored value names; null if it names none. */
function ownerOf(text: string | null): string | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    const isTagged = typeof value === 'object' && value !== null && 'uid' in value
    return isTagged && typeof value.uid === 'string' ? value.uid : null
  } catch {
    return null
  }
}
