const listeners = new Map<string, Set<() => void>>()

/** Tells an open table that there is news for it, by whatever way it was heard. */
export function noticeTable(name: string): void {
  for (const listener of listeners.get(name) ?? []) listener()
}

/** Calls `listener` at every notice to a table, until the answer is called. */
export function onNotice(name: string, listener: () => void): () => void {
  const all = listeners.get(name) ?? new Set()
  listeners.set(name, all.add(listener))
  return () => {
    all.delete(listener)
  }
}
