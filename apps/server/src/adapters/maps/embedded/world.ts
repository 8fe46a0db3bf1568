import type { LatLng } from '@hansom/domain/geo/point'

/**
 * World units: web mercator divided into 2^32 steps per side, x eastward from 180 W, y southward. This is the grid of
 * the source tiles (zoom 12, extent 2^20), so their vertices are exact and lines cut at a tile border match exactly.
 * One unit is about 8 mm in Montevideo.
 */
export const worldSize = 2 ** 32

const equatorMetres = 40_075_016.686

export function toWorld(point: LatLng): { x: number; y: number } {
  const sine = Math.sin((point.lat * Math.PI) / 180)
  return {
    x: (point.lng / 360 + 0.5) * worldSize,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * worldSize,
  }
}

/** At any latitude a car can reach, at most 2 mm from the exact inverse: a fourth of a unit. */
export function toLatLng(x: number, y: number): LatLng {
  return { lat: latitudes.at(y), lng: (x / worldSize - 0.5) * 360 }
}

/** Meters per world unit at this y; mercator scales equally in all directions. */
export function metresPerUnit(y: number): number {
  return scales.at(y)
}

/** Meters between two points at most a few kilometers apart. */
export function metresBetween(ax: number, ay: number, bx: number, by: number): number {
  // Not Math.hypot, which guards against overflow and takes several times as long.
  return Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay)) * metresPerUnit((ay + by) / 2)
}

/** A smooth function of y, interpolated between values that are computed when first needed. */
class ByNorthing {
  private static readonly cell = 2 ** 14
  private readonly values = new Float64Array(worldSize / ByNorthing.cell + 1).fill(Number.NaN)
  /** From each value to the next. */
  private readonly rises = new Float64Array(this.values.length)

  constructor(private readonly exact: (y: number) => number) {}

  at(y: number): number {
    if (!(y >= 0 && y <= worldSize)) return this.exact(y)
    const place = y / ByNorthing.cell
    const cell = Math.floor(place)
    const value = this.values[cell] as number
    if (Number.isNaN(value)) return this.compute(cell, place - cell)
    return value + (this.rises[cell] as number) * (place - cell)
  }

  private compute(cell: number, share: number): number {
    const value = this.exact(cell * ByNorthing.cell)
    const rise = this.exact((cell + 1) * ByNorthing.cell) - value
    this.values[cell] = value
    this.rises[cell] = rise
    return value + rise * share
  }
}

/** The angle of mercator's vertical axis. */
const angleOf = (y: number) => Math.PI * (1 - (2 * y) / worldSize)
const latitudes = new ByNorthing((y) => (Math.atan(Math.sinh(angleOf(y))) * 180) / Math.PI)
const scales = new ByNorthing((y) => equatorMetres / worldSize / Math.cosh(angleOf(y)))
