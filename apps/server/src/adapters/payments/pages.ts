/** One page of a list, and how the next one is asked for; null: there is none. */
export interface Page<Item, Next> {
  items: Item[]
  next: Next | null
}

const mostPages = 20

/** All entries of a list, page by page; null when a page cannot be read or there are too many. */
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

/** Asks again only after some time: a list of a whole account serves many payments. A failure is not kept. */
export function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { answer: Promise<T>; until: number } | null = null
  return () => {
    if (kept && kept.until > performance.now()) return kept.answer
    const answer = read()
    kept = { answer, until: performance.now() + ms }
    answer.catch(() => {
      if (kept?.answer === answer) kept = null
    })
    return answer
  }
}
