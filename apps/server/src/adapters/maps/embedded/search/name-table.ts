import Flatbush from 'flatbush'
import { column, type Pack } from '../pack.ts'
import type { Entry } from './entry.ts'
import { lowerBound } from './sorted-rows.ts'
import { TextBlock, textColumns } from './text-block.ts'

/** Prefixes of ids: a node, way or relation, a street by its first way, a street or place known from its addresses. */
const prefixes = ['n', 'w', 'r', 's', 'an', 'aw', 'ar']
const idPattern = /^(n|w|r|s|an|aw|ar)(\d{1,15})$/
const streetFlag = 1
const unlistedFlag = 2

function codeOf(id: string): number {
  const [, prefix, number] = idPattern.exec(id) ?? []
  return prefix === undefined ? -1 : Number(number) * 8 + prefixes.indexOf(prefix)
}

/** The columns of streets and places. */
export function nameColumns(entries: readonly Entry[]): Pack {
  const details = new Map<string, number>()
  const detail = Uint32Array.from(entries, ({ detail }) => {
    const known = details.get(detail) ?? details.size
    details.set(detail, known)
    return known
  })
  const code = Float64Array.from(entries, ({ id }) => codeOf(id))
  const index = new Flatbush(Math.max(1, entries.length), 16, Uint32Array)
  for (const { x, y } of entries) index.add(x, y)
  if (entries.length === 0) index.add(0, 0)
  index.finish()
  const u32 = (value: (entry: Entry) => number) => Uint32Array.from(entries, value)
  return {
    ...textColumns(
      'label',
      entries.map(({ label }) => label),
    ),
    ...textColumns('details', [...details.keys()]),
    detail,
    x: u32(({ x }) => x),
    y: u32(({ y }) => y),
    stopX: u32(({ x, stop }) => stop?.x ?? x),
    stopY: u32(({ y, stop }) => stop?.y ?? y),
    importance: Float64Array.from(entries, ({ importance }) => importance),
    locality: u32(({ locality }) => locality),
    flags: Uint8Array.from(
      entries,
      ({ kind, unlisted }) => (kind === 'street' ? streetFlag : 0) + (unlisted ? unlistedFlag : 0),
    ),
    code,
    byCode: Uint32Array.from(entries, (_, at) => at).sort(
      (a, b) => (code[a] as number) - (code[b] as number),
    ),
    nameIndex: new Uint8Array(index.data),
  }
}

/** Streets and places in flat columns: hundreds of thousands of them load without creating an object each. */
export class NameTable {
  readonly length: number
  readonly x: Uint32Array
  readonly y: Uint32Array
  /** Where a car stops. */
  readonly stopX: Uint32Array
  readonly stopY: Uint32Array
  readonly importance: Float64Array
  readonly locality: Uint32Array
  private readonly labels: TextBlock
  private readonly details: TextBlock
  private readonly detail: Uint32Array
  private readonly flags: Uint8Array
  private readonly code: Float64Array
  private readonly byCode: Uint32Array
  private readonly index: Flatbush

  /** Throws if a column is missing. */
  constructor(pack: Pack) {
    const u32 = (name: string) => column(pack, name, 'Uint32Array')
    this.labels = new TextBlock(pack, 'label')
    this.details = new TextBlock(pack, 'details')
    this.detail = u32('detail')
    this.length = this.detail.length
    this.x = u32('x')
    this.y = u32('y')
    this.stopX = u32('stopX')
    this.stopY = u32('stopY')
    this.importance = column(pack, 'importance', 'Float64Array')
    this.locality = u32('locality')
    this.flags = column(pack, 'flags', 'Uint8Array')
    this.code = column(pack, 'code', 'Float64Array')
    this.byCode = u32('byCode')
    const index = column(pack, 'nameIndex', 'Uint8Array')
    this.index = Flatbush.from(index.buffer, index.byteOffset)
  }

  label(name: number): string {
    return this.labels.at(name)
  }

  detailOf(name: number): string {
    return this.details.at(this.detail[name] as number)
  }

  isStreet(name: number): boolean {
    return ((this.flags[name] as number) & streetFlag) !== 0
  }

  isListed(name: number): boolean {
    return ((this.flags[name] as number) & unlistedFlag) === 0
  }

  id(name: number): string {
    const code = this.code[name] as number
    return `${prefixes[code % 8]}${Math.floor(code / 8)}`
  }

  /** The name with this id, or undefined. */
  withId(id: string): number | undefined {
    const code = codeOf(id)
    const codeAt = (at: number) => this.code[this.byCode[at] as number] as number
    const at = lowerBound(0, this.length, (index) => codeAt(index) < code)
    return code >= 0 && at < this.length && codeAt(at) === code ? this.byCode[at] : undefined
  }

  /** The nearest names within a distance in world units, at most `most`. */
  around(x: number, y: number, most: number, within: number, keep?: (name: number) => boolean): number[] {
    return this.index.neighbors(x, y, most, within, (name) => name < this.length && (keep?.(name) ?? true))
  }
}
