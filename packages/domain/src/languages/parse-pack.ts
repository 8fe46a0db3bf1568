/** Why a text is not a valid pack, and where: `offset` counts from 0, `line` and `column` from 1. */
export interface PackProblem {
  /**
   * `syntax`: invalid JSON. `no_object`: not a single object. `no_text`: a value is not a string. `twice`: duplicate
   * key.
   */
  problem: 'syntax' | 'no_object' | 'no_text' | 'twice'
  /** The key concerned, if any. */
  key?: string
  offset: number
  line: number
  column: number
}

export type ParsedPack = { texts: Record<string, string> } | { error: PackProblem }

class Stop extends Error {
  readonly problem: PackProblem['problem']
  readonly offset: number
  readonly key: string | undefined

  constructor(problem: PackProblem['problem'], offset: number, key?: string) {
    super(problem)
    this.problem = problem
    this.offset = offset
    this.key = key
  }
}

/**
 * Parses a pack as edited by admins: one JSON object of texts by key. Reports the position of the first error, which
 * JavaScript engines report in different formats or not at all.
 */
export function parsePack(source: string): ParsedPack {
  try {
    return { texts: new Reader(source).pack() }
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { problem, offset, key } = error
    return { error: { problem, ...(key === undefined ? {} : { key }), offset, ...position(source, offset) } }
  }
}

/** Formats a pack for editing. */
export function writePack(texts: Readonly<Record<string, string>>): string {
  return `${JSON.stringify(texts, null, 2)}\n`
}

function position(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

class Reader {
  private readonly source: string
  private at = 0

  constructor(source: string) {
    this.source = source
  }

  pack(): Record<string, string> {
    this.blank()
    if (this.source[this.at] !== '{') throw new Stop(this.isOver() ? 'syntax' : 'no_object', this.at)
    this.at++
    const texts = new Map<string, string>()
    this.blank()
    if (this.source[this.at] === '}') this.at++
    else this.entries(texts)
    this.blank()
    if (!this.isOver()) throw new Stop('syntax', this.at)
    return Object.fromEntries(texts)
  }

  private entries(texts: Map<string, string>): void {
    for (;;) {
      this.blank()
      const start = this.at
      const key = this.text()
      if (texts.has(key)) throw new Stop('twice', start, key)
      this.blank()
      this.take(':')
      this.blank()
      texts.set(key, this.value(key))
      this.blank()
      if (this.source[this.at] === '}') {
        this.at++
        return
      }
      this.take(',')
    }
  }

  private value(key: string): string {
    const next = this.source[this.at] ?? ''
    if (next !== '' && /[[{\d\-tfn]/.test(next)) throw new Stop('no_text', this.at, key)
    return this.text()
  }

  private text(): string {
    const start = this.at
    if (this.source[start] !== '"') throw new Stop('syntax', start)
    for (let end = start + 1; end < this.source.length; end++) {
      const letter = this.source[end] ?? ''
      if (letter === '"') {
        this.at = end + 1
        return JSON.parse(this.source.slice(start, end + 1)) as string
      }
      if (letter < ' ') throw new Stop('syntax', end)
      if (letter === '\\') {
        if (!/^\\(["\\/bfnrt]|u[\da-fA-F]{4})/.test(this.source.slice(end, end + 6)))
          throw new Stop('syntax', end)
        end++
      }
    }
    throw new Stop('syntax', this.source.length)
  }

  private take(sign: string): void {
    if (this.source[this.at] !== sign) throw new Stop('syntax', this.at)
    this.at++
  }

  private blank(): void {
    while (/[ \t\r\n]/.test(this.source[this.at] ?? '')) this.at++
  }

  private isOver(): boolean {
    return this.at >= this.source.length
  }
}
