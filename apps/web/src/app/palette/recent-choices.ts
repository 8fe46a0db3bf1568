const storageKey = 'hansom-recent-choices'
const kept = 6

/** An item opened through the palette: a page, user or booking. */
export interface Choice {
  kind: 'page' | 'rider' | 'driver' | 'booking'
  /** The path of a page, or the record's id. */
  id: string
  /** Label at the time; pages are labeled again in the current language. */
  label: string
  detail: string | null
}

interface Stored {
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

function read(storage: Pick<Storage, 'getItem'>): Stored | null {
  try {
    const stored = JSON.parse(storage.getItem(storageKey) ?? 'null') as Partial<Stored> | null
    if (typeof stored?.uid !== 'string' || !Array.isArray(stored.choices)) return null
    return { uid: stored.uid, choices: stored.choices.filter(isChoice) }
  } catch {
    return null
  }
}

/** The user's recent choices, newest first. Choices of another user in this browser are never returned. */
export function recentChoices(uid: string, storage: Pick<Storage, 'getItem'> = localStorage): Choice[] {
  const stored = read(storage)
  return stored?.uid === uid ? stored.choices : []
}

/** Adds a choice at the front. */
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
    // Storage is unavailable: nothing is remembered.
  }
}
