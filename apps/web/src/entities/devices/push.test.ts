import { expect, test } from 'vitest'
import { platformOf } from './push.ts'

const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15'

test.each([
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile', 5, 'ANDROID'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) Safari/604.1', 5, 'IOS'],
  [mac, 5, 'IOS'],
  [mac, 0, null],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140', 10, null],
  ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140', 0, null],
] as const)('platform of %s with %i touch points -> %s', (userAgent, maxTouchPoints, platform) => {
  expect(platformOf({ userAgent, maxTouchPoints })).toBe(platform)
})
