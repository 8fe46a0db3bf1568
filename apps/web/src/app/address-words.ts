/** Search parameters of a URL; every value stays a string. */
export type AddressWords = Record<string, string>

/** Parses `?approved=true&q=42` without converting values to booleans or numbers. */
export function parseAddress(text: string): AddressWords {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Drops values that cannot be strings. Validates the search of every route. */
export function addressWords(search: Record<string, unknown>): AddressWords {
  const words: AddressWords = {}
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') words[name] = value
    else if (typeof value === 'number' || typeof value === 'boolean') words[name] = String(value)
  }
  return words
}

/** Serializes search parameters with the leading question mark; commas and colons stay unescaped for readability. */
export function writeAddress(search: Record<string, unknown>): string {
  const text = new URLSearchParams(addressWords(search)).toString().replace(/%2C/g, ',').replace(/%3A/g, ':')
  return text ? `?${text}` : ''
}
