import { hasLeftPage } from './stored-keys.ts'

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** A list on this device that belongs to one user and is hidden from all others. */
export class KeptFor<Item> {
  private readonly storage: Store
  private readonly name: string
  private readonly uid: string

  constructor(storage: Store, name: string, uid: string) {
    this.storage = storage
    this.name = name
    this.uid = uid
  }

  /** The stored list; another user's list is removed, unless this one has left. */
  read(): readonly Item[] {
    const text = this.storage.getItem(this.name)
    const kept = parse(text)
    if (kept?.uid === this.uid) return kept.items as Item[]
    if (text !== null && !hasLeftPage(this.uid)) this.storage.removeItem(this.name)
    return []
  }

  /** Stores the list while the user is here. If storage is full or blocked, the list stays in the page only. */
  write(items: readonly Item[]): void {
    if (hasLeftPage(this.uid)) return
    try {
      if (items.length === 0) this.storage.removeItem(this.name)
      else this.storage.setItem(this.name, JSON.stringify({ uid: this.uid, items }))
    } catch {
      this.storage.removeItem(this.name)
    }
  }
}

function parse(text: string | null): { uid: string; items: unknown[] } | null {
  try {
    const kept: unknown = JSON.parse(text ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('uid' in kept) || !('items' in kept)) return null
    const { uid, items } = kept
    return typeof uid === 'string' && Array.isArray(items) ? { uid, items } : null
  } catch {
    return null
  }
}
