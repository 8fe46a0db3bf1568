/** What stands behind the question mark of an address: every value is a word, whatever it looks like. */
export type AddressWords = Record<string, string>

/** Reads `?approved=true&q=42` without making a boolean or a number of it. */
export function parseAddress(text: string): AddressWords {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Keeps what can be a word; the search of every route goes through it. */
export function addressWords(search: Record<string, unknown>): AddressWords {
  const words: AddressWords = {}
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') words[name] = value
    else if (typeof value === 'number' || typeof value === 'boolean') words[name] = String(value)
  }
  return words
}

/** The part of an address behind its path, with the question mark; commas and colons stay readable. */
export function writeAddress(search: Record<string, unknown>): string {
  const text = new URLSearchParams(addressWords(search)).toString().replace(/%2C/g, ',').replace(/%3A/g, ':')
  return text ? `?${text}` : ''
}
