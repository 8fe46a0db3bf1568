const storageKey = 'hansom-recent-choices'
const kept = 6

/** Something that was opened by the palette: a page, or what was found. */
export interface Choice {
  kind: 'page' | 'rider' | 'driver' | 'booking'
  /** The path of a page, or the id. */
  id: string
  /** What it was called; pages are named anew in the language of the moment. */
  label: string
  detail: string | null
}

interface Kept {
  uid: string
  choices: Choice[]
}

function isChoice(value: unknown): value is Choice {
  if (typeof value !== 'object' || value === null) return false
  const { kind, id, label, detail } = value as Record<string, unknown>
  return (
    (kind === 'page' || kind === 'rider' || kind === 'driver' || kind === 'booking') &&
    typeof id === 'string' &&
    typeof label === 'string' &&
    (detail === null || typeof detail === 'string')
  )
}

function read(storage: Pick<Storage, 'getItem'>): Kept | null {
  try {
    const stored = JSON.parse(storage.getItem(storageKey) ?? 'null') as Partial<Kept> | null
    if (typeof stored?.uid !== 'string' || !Array.isArray(stored.choices)) return null
    return { uid: stored.uid, choices: stored.choices.filter(isChoice) }
  } catch {
    return null
  }
}

/** What a person has chosen last, newest first. What another person chose in this browser is not told. */
export function recentChoices(uid: string, storage: Pick<Storage, 'getItem'> = localStorage): Choice[] {
  const stored = read(storage)
  return stored?.uid === uid ? stored.choices : []
}

/** Puts a choice at the front. */
export function rememberChoice(
  uid: string,
  choice: Choice,
  storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage,
): void {
  const others = recentChoices(uid, storage).filter(
    ({ kind, id }) => kind !== choice.kind || id !== choice.id,
  )
  try {
    storage.setItem(storageKey, JSON.stringify({ uid, choices: [choice, ...others].slice(0, kept) }))
  } catch {
    // Storage is closed to us: nothing is remembered.
  }
}

/** Leaves nothing behind for whoever signs in next. */
export function forgetChoices(storage: Pick<Storage, 'removeItem'> = localStorage): void {
  try {
    storage.removeItem(storageKey)
  } catch {
    // Storage is closed to us: nothing was remembered.
  }
}
