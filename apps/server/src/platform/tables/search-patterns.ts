/** A trigram index finds three letters anywhere in a word; fewer only where a word begins. */
const isShort = /^.{1,2}$/u
/** More words make a search slower, and no better. */
const mostWords = 8

/** The patterns of `like` for what is searched: each has to fit. Short words are looked for at the start of words. */
export function searchPatterns(text: string): string[] {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, mostWords)
  return [...new Set(words)].map((word) => {
    const escaped = word.replace(/[\\%_]/g, '\\$&')
    return isShort.test(word) ? `% ${escaped}%` : `%${escaped}%`
  })
}
