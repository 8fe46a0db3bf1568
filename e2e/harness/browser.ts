import { existsSync } from 'node:fs'
import { languageCookie } from '@hansom/contract/boot'
import sparticuz from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { patience } from './patience.ts'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const unwanted = ['--single-process', '--disable-web-security', '--no-zygote']
const quiet = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  // The pages of a window share a process, which knows the code of earlier pages.
  '--renderer-process-limit=1',
]

/** Flags that emulate a graphics card. The map needs one, but it slows down every page. */
const imitation = /^--(use-gl|use-angle|ignore-gpu|in-process-gpu|enable-unsafe-swiftshader)/
/** Playwright allows an emulated card, which must not be used, either. */
const noGraphics = ['--disable-gpu', '--disable-software-rasterizer']
/** Only the map is drawn by the emulated card: a whole page drawn by it takes three times as long. */
const mapOnly = '--disable-gpu-compositing'

/**
 * A real headless Chromium: CHROMIUM_PATH, an installed one, or the bundled one. Without `graphics` it has no graphics
 * card, not even an emulated one: pages show lists instead of maps, and are twice as fast, pages with a map many times.
 * Use `graphics` where the map itself is tested. `camera`: a Y4M file that every page sees as the picture of the device's
 * camera, with permission to use it.
 */
export async function openBrowser({
  graphics = false,
  camera,
}: {
  graphics?: boolean
  camera?: string
} = {}): Promise<Browser> {
  const path = process.env.CHROMIUM_PATH ?? installed.find((candidate) => existsSync(candidate))
  const usual = sparticuz.args.filter((arg) => !unwanted.includes(arg) && !arg.startsWith('--headless'))
  const args = graphics
    ? [...usual, mapOnly]
    : [...usual.filter((arg) => !imitation.test(arg)), ...noGraphics]
  return chromium.launch({
    executablePath: path ?? (await sparticuz.executablePath()),
    headless: true,
    args: [...args, ...quiet, '--no-sandbox', ...(camera === undefined ? [] : cameraFlags(camera))],
  })
}

const cameraFlags = (file: string) => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${file}`,
]

export interface WindowOptions {
  url: string
  /** Of the language cookie and of the browser. */
  locale?: string
  dark?: boolean
  phone?: boolean
  /** Location of the device, with permission to read it. */
  at?: { lat: number; lng: number }
}

export const phoneSize = { width: 390, height: 844 }
export const deskSize = { width: 1440, height: 900 }

/** A new window with separate cookies. Page errors and console errors are collected in `problems`. */
export async function openWindow(
  browser: Browser,
  options: WindowOptions,
): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
  const context = await browser.newContext({
    baseURL: options.url,
    viewport: options.phone ? phoneSize : deskSize,
    hasTouch: options.phone ?? false,
    locale: options.locale === undefined || options.locale === 'en' ? 'en-GB' : options.locale,
    timezoneId: 'America/Montevideo',
    colorScheme: options.dark ? 'dark' : 'light',
    // No test waits for an animation; one that looks at motion emulates it.
    reducedMotion: 'reduce',
    ...(options.at && {
      geolocation: { latitude: options.at.lat, longitude: options.at.lng, accuracy: 5 },
      permissions: ['geolocation'],
    }),
  })
  context.setDefaultTimeout(patience.timeout)
  if (options.locale !== undefined) {
    await context.addCookies([{ name: languageCookie, value: options.locale, url: options.url }])
  }
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  return { context, page, problems }
}
