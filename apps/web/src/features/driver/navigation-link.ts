import type { LatLng } from '@hansom/domain/geo/point'

/** The part of `Navigator` that identifies the device. */
type Device = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

/**
 * The URL that opens a place in the device's maps app: Android offers all installed apps for `geo:`, Apple devices open
 * theirs, and any other browser gets directions on the web.
 */
export function navigationLink({ lat, lng }: LatLng, device: Device): string {
  const at = `${lat.toFixed(6)},${lng.toFixed(6)}`
  if (/Android/i.test(device.userAgent)) return `geo:${at}?q=${at}`
  if (isApplePhone(device)) return `https://maps.apple.com/?daddr=${at}&dirflg=d`
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(at)}&travelmode=driving`
}

/** An iPad identifies as a Mac, but no Mac has a touch screen. */
function isApplePhone({ userAgent, maxTouchPoints }: Device): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}
