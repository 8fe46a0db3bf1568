/** Lowercases the text and strips its diacritics. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Whether every typed word is the prefix of a word in the text. An empty query matches everything. */
export function matchesQuery(typed: string, text: string): boolean {
  if (typed === '') return true
  const words = plain(text).split(/[^\p{L}\p{N}]+/u)
  return plain(typed)
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)))
}
