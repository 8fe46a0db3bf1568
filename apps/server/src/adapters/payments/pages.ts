/** One page of a list and the cursor of the next one, null on the last page. */
export interface Page<Item, Next> {
  items: Item[]
  next: Next | null
}

const mostPages = 20

/** All items of a list, page by page; null if a page cannot be read or there are too many pages. */
export async function allPages<Item, Next>(
  read: (next: Next | null) => Promise<Page<Item, Next> | null>,
): Promise<Item[] | null> {
  const all: Item[] = []
  let next: Next | null = null
  for (let count = 0; count < mostPages; count += 1) {
    const page: Page<Item, Next> | null = await read(next)
    if (page === null) return null
    all.push(...page.items)
    if (page.next === null || page.items.length === 0) return all
    next = page.next
  }
  return null
}

/**
 * Caches the result of `read` for some time: a list of the complete account serves many payments. Failures are not
 * cached.
 */
export function cachedFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let cached: { answer: Promise<T>; until: number } | null = null
  return () => {
    if (cached && cached.until > performance.now()) return cached.answer
    const answer = read()
    cached = { answer, until: performance.now() + ms }
    answer.catch(() => {
      if (cached?.answer === answer) cached = null
    })
    return answer
  }
}
