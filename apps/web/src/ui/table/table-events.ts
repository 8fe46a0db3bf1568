const listeners = new Map<string, Set<() => void>>()

/** Notifies an open table that its rows have changed, from any source. */
export function notifyTable(name: string): void {
  for (const listener of listeners.get(name) ?? []) listener()
}

/** Calls `listener` on every notice to a table. Returns an unsubscribe function. */
export function onTableChanged(name: string, listener: () => void): () => void {
  const all = listeners.get(name) ?? new Set()
  listeners.set(name, all.add(listener))
  return () => {
    all.delete(listener)
  }
}
