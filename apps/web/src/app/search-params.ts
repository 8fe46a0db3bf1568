/** Search parameters of a URL; every value stays a string. */
export type SearchParams = Record<string, string>

/** Parses `?approved=true&q=42` without converting values to booleans or numbers. */
export function parseSearchParams(text: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Drops values that cannot be strings. Validates the search of every route. */
export function searchParams(search: Record<string, unknown>): SearchParams {
  const words: SearchParams = {}
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') words[name] = value
    else if (typeof value === 'number' || typeof value === 'boolean') words[name] = String(value)
  }
  return words
}

/** Serializes search parameters with the leading question mark; commas and colons stay unescaped for readability. */
export function stringifySearchParams(search: Record<string, unknown>): string {
  const text = new URLSearchParams(searchParams(search)).toString().replace(/%2C/g, ',').replace(/%3A/g, ':')
  return text ? `?${text}` : ''
}
