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

export function toLatLng(x: number, y: number): LatLng {
  return {
    lat: (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / worldSize))) * 180) / Math.PI,
    lng: (x / worldSize - 0.5) * 360,
  }
}

/** Meters per world unit at this y; mercator scales equally in all directions. */
export function metresPerUnit(y: number): number {
  return equatorMetres / worldSize / Math.cosh(Math.PI * (1 - (2 * y) / worldSize))
}

/** Meters between two points at most a few kilometers apart. */
export function metresBetween(ax: number, ay: number, bx: number, by: number): number {
  return Math.hypot(bx - ax, by - ay) * metresPerUnit((ay + by) / 2)
}
