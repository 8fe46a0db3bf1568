import { column, type Pack } from '../pack.ts'

/** Texts as two columns of a pack, `<name>Bytes` in UTF-8 and `<name>Start`: loading them creates no strings. */
export function textColumns(name: string, texts: readonly string[]): Pack {
  const start = new Uint32Array(texts.length + 1)
  const parts = texts.map((text, at) => {
    const bytes = Buffer.from(text)
    start[at + 1] = (start[at] as number) + bytes.length
    return bytes
  })
  return { [`${name}Bytes`]: new Uint8Array(Buffer.concat(parts)), [`${name}Start`]: start }
}

/** Texts written by `textColumns`, decoded one at a time. Throws if a column is missing. */
export class TextBlock {
  private readonly bytes: Buffer
  private readonly start: Uint32Array

  constructor(pack: Pack, name: string) {
    const bytes = column(pack, `${name}Bytes`, 'Uint8Array')
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.start = column(pack, `${name}Start`, 'Uint32Array')
  }

  get length(): number {
    return this.start.length - 1
  }

  at(index: number): string {
    return this.bytes.toString('utf8', this.start[index], this.start[index + 1])
  }

  all(): string[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index))
  }
}
