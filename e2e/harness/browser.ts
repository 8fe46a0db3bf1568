import { languageCookie } from '@hansom/contract/boot'
import { existsSync } from 'node:fs'
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
]

/** What imitates a graphics card, which the map needs and every page then pays for. */
const imitation = /^--(use-gl|use-angle|ignore-gpu|in-process-gpu|enable-unsafe-swiftshader)/

/**
 * A real headless Chromium: CHROMIUM_PATH, an installed one, or the one that comes with the packages. Without `graphics` it
 * has no graphics card, not even an imitated one, and draws as it does on a machine that has none: lists where maps would
 * be, but twice as fast, and a page with a map many times. Ask for `graphics` where the map itself is looked at.
 */
export async function openBrowser({ graphics = false } = {}): Promise<Browser> {
  const path = process.env.CHROMIUM_PATH ?? installed.find((candidate) => existsSync(candidate))
  const usual = sparticuz.args.filter((arg) => !unwanted.includes(arg) && !arg.startsWith('--headless'))
  const args = graphics ? usual : [...usual.filter((arg) => !imitation.test(arg)), '--disable-gpu']
  return chromium.launch({
    executablePath: path ?? (await sparticuz.executablePath()),
    headless: true,
    args: [...args, ...quiet, '--no-sandbox'],
  })
}

export interface WindowOptions {
  url: string
  locale?: 'en' | 'ar'
  dark?: boolean
  phone?: boolean
  /** Fades and slides as for most people; without it as for those who ask for less of it, which nobody waits for. */
  motion?: boolean
  /** Where the device is; with permission to tell. */
  at?: { lat: number; lng: number }
}

export const phoneSize = { width: 390, height: 844 }
export const deskSize = { width: 1440, height: 900 }

/** A window of its own (own cookies). Page errors and console errors are collected in `problems`. */
export async function openWindow(
  browser: Browser,
  options: WindowOptions,
): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
  const context = await browser.newContext({
    baseURL: options.url,
    viewport: options.phone ? phoneSize : deskSize,
    hasTouch: options.phone ?? false,
    locale: options.locale === 'ar' ? 'ar' : 'en-GB',
    timezoneId: 'America/Montevideo',
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: options.motion ? 'no-preference' : 'reduce',
    geolocation: options.at
      ? { latitude: options.at.lat, longitude: options.at.lng, accuracy: 5 }
      : undefined,
    permissions: options.at ? ['geolocation'] : [],
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
