import { expect, it } from 'vitest'
import { navigationLink } from './navigation-link.ts'

const place = { lat: -34.9058, lng: -56.1913 }
const devices = {
  android: { userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9)', maxTouchPoints: 5 },
  iphone: { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', maxTouchPoints: 5 },
  ipad: { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', maxTouchPoints: 5 },
  mac: { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', maxTouchPoints: 0 },
}

it.each([
  ['android', 'geo:-34.905800,-56.191300?q=-34.905800,-56.191300'],
  ['iphone', 'https://maps.apple.com/?daddr=-34.905800,-56.191300&dirflg=d'],
  ['ipad', 'https://maps.apple.com/?daddr=-34.905800,-56.191300&dirflg=d'],
  ['mac', 'https://www.google.com/maps/dir/?api=1&destination=-34.905800%2C-56.191300&travelmode=driving'],
] as const)('navigation link: %s -> the maps app of that device', (device, link) => {
  expect(navigationLink(place, devices[device])).toBe(link)
})
