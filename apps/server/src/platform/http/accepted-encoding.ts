export type Encoding = 'br' | 'gzip'

/** Returns the best compression the client accepts; null for none. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  const accepted = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', quality] = part.trim().split(/ *; *q=/)
        return [name, quality === undefined ? 1 : Number(quality) || 0]
      }),
  )
  const takes = (name: string) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0
  return (['br', 'gzip'] as const).find(takes) ?? null
}
