import type { LatLng } from './point.ts'

/**
 * Encoded polylines with precision 5, after Google's "Encoded Polyline Algorithm Format"
 * (https://developers.google.com/maps/documentation/utilities/polylinealgorithm): differences of rounded
 * coordinates, zig-zag, in groups of five bits with 63 added.
 */
const factor = 1e5

/** Encodes a path. Coordinates are rounded to five decimals, half away from zero. */
export function encodePolyline(path: readonly LatLng[]): string {
  let text = ''
  let lat = 0
  let lng = 0
  for (const point of path) {
    const nextLat = scaled(point.lat)
    const nextLng = scaled(point.lng)
    text += encodeNumber(nextLat - lat) + encodeNumber(nextLng - lng)
    lat = nextLat
    lng = nextLng
  }
  return text
}

/** Decodes a path; `digits` is the precision, 6 in some services. Throws RangeError for an invalid text. */
export function decodePolyline(text: string, digits: 5 | 6 = 5): LatLng[] {
  const scale = 10 ** digits
  const path: LatLng[] = []
  let at = 0
  let lat = 0
  let lng = 0
  const next = (): number => {
    let result = 0
    for (let shift = 0; shift <= 30; shift += 5) {
      const code = text.charCodeAt(at++) - 63
      if (!(code >= 0 && code < 64)) throw new RangeError('not an encoded polyline')
      result |= (code & 0x1f) << shift
      if (code < 0x20) return result & 1 ? ~(result >>> 1) : result >>> 1
    }
    throw new RangeError('not an encoded polyline')
  }
  while (at < text.length) {
    lat += next()
    lng += next()
    path.push({ lat: lat / scale, lng: lng / scale })
  }
  return path
}

function scaled(degrees: number): number {
  return Math.sign(degrees) * Math.round(Math.abs(degrees) * factor)
}

function encodeNumber(value: number): string {
  let rest = value < 0 ? ~(value << 1) : value << 1
  let text = ''
  while (rest >= 0x20) {
    text += String.fromCharCode((0x20 | (rest & 0x1f)) + 63)
    rest >>>= 5
  }
  return text + String.fromCharCode(rest + 63)
}
