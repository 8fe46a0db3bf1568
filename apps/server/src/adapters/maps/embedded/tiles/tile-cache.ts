import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)
const mostBytes = 32 * 2 ** 20

/** Builds each tile once, compresses it off the event loop and caches the most recently used ones, up to 32 MB. */
export class TileCache {
  private readonly kept = new Map<string, Uint8Array>()
  private readonly making = new Map<string, Promise<Uint8Array>>()
  private bytes = 0

  /** `ready` has prebuilt compressed tiles by "z/x/y". */
  constructor(
    private readonly ready: Record<string, Uint8Array>,
    private readonly cut: (z: number, x: number, y: number) => Uint8Array,
  ) {}

  async tile(z: number, x: number, y: number): Promise<Uint8Array> {
    const key = `${z}/${x}/${y}`
    const prebuilt = this.ready[key]
    if (prebuilt) return prebuilt
    const known = this.kept.get(key)
    if (known) {
      this.kept.delete(key)
      this.kept.set(key, known)
      return known
    }
    const making = this.making.get(key) ?? this.make(key, z, x, y)
    this.making.set(key, making)
    try {
      return await making
    } finally {
      this.making.delete(key)
    }
  }

  private async make(key: string, z: number, x: number, y: number): Promise<Uint8Array> {
    const tile = await compress(this.cut(z, x, y))
    this.kept.set(key, tile)
    this.bytes += tile.length
    for (const [oldest, old] of this.kept) {
      if (this.bytes <= mostBytes || oldest === key) break
      this.kept.delete(oldest)
      this.bytes -= old.length
    }
    return tile
  }
}
