/** A trigram index finds three letters anywhere in a word; shorter terms match only at the start of a word. */
const isShort = /^.{1,2}$/u
/** More words make a search slower, not better. */
const mostWords = 8

/** Returns the LIKE patterns for a search; all must match. Short words match at the start of words. */
export function searchPatterns(text: string): string[] {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, mostWords)
  return [...new Set(words)].map((word) => {
    const escaped = word.replace(/[\\%_]/g, '\\$&')
    return isShort.test(word) ? `% ${escaped}%` : `%${escaped}%`
  })
}
