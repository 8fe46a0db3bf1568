import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const names = (folder: string, kind: 'folders' | 'files') =>
  readdirSync(new URL(folder, root), { withFileTypes: true })
    .filter((entry) =>
      kind === 'files'
        ? /^[^.]+\.ts$/.test(entry.name)
        : // Git leaves an empty folder behind when its files move.
          entry.isDirectory() && readdirSync(new URL(`${folder}/${entry.name}`, root)).length > 0,
    )
    .map((entry) => entry.name.replace(/\.ts$/, ''))

const zones = {
  domain: names('packages/domain/src', 'folders'),
  contract: names('packages/contract/src', 'files').filter((name) => !/-(table|fields)$/.test(name)),
  server: names('apps/server/src/features', 'folders'),
  web: names('apps/web/src/features', 'folders'),
  entities: names('apps/web/src/entities', 'folders'),
}

/** Folders and files that belong to one zone only. A noun of two zones has the same name in both and is not listed. */
const ownOf: Record<keyof typeof zones, readonly string[]> = {
  domain: ['access', 'fare', 'geo', 'money', 'notifications', 'time'],
  contract: ['base', 'boot', 'contract', 'fleet-state', 'functions', 'live', 'shapes', 'tables', 'tracking'],
  server: [
    'demo',
    'exports',
    'files',
    'large-city',
    'ledger-check',
    'product-licence',
    'retention',
    'table-changes',
    'web',
  ],
  web: ['checkout', 'dashboard', 'driver', 'landing', 'static'],
  entities: [],
}

describe('nouns', () => {
  test.each(Object.keys(zones) as (keyof typeof zones)[])(
    '%s: each noun has the same name in a second zone',
    (zone) => {
      const elsewhere = Object.entries(zones).flatMap(([other, found]) => (other === zone ? [] : found))
      const alone = zones[zone].filter((name) => !elsewhere.includes(name))
      expect(alone.sort()).toEqual([...ownOf[zone]].sort())
    },
  )
})

/** Paths that the specification names differently from the feature they belong to. */
const featureOfPath: Record<string, string> = {
  login: 'accounts',
  register: 'accounts',
  setup: 'accounts',
  invitation: 'accounts',
  'reset-password': 'accounts',
  'verify-email': 'accounts',
  'confirm-email': 'accounts',
  'confirm-mobile': 'accounts',
  profile: 'users',
  riders: 'users',
  drivers: 'users',
  fleetadmins: 'users',
  alladmin: 'users',
  trip: 'bookings',
  track: 'bookings',
  addbookings: 'bookings',
  receipt: 'receipts',
  cartypes: 'car-types',
  dispatchrules: 'dispatch-rules',
  cancelreasons: 'cancel-reasons',
  addtowallet: 'wallet',
  ledger: 'wallet',
  disputes: 'refunds',
  driverearning: 'reports',
  earningreports: 'reports',
  operations: 'reports',
  notifications: 'push-notifications',
  appinfo: 'settings',
  languagesetting: 'languages',
  'about-us': 'static',
  'privacy-policy': 'static',
}

describe('screens', () => {
  const table = readFileSync(new URL('apps/web/src/app/screens.ts', root), 'utf8')
  const rows = [...table.matchAll(/path: '\/([^']*)',[^]*?import\('([^']+)'\)/g)].map(
    ([, path = '', file = '']) => [path, file] as const,
  )

  test('every path has a row', () => {
    expect(rows.length).toBeGreaterThan(40)
  })

  test.each(rows)('/%s -> its feature or a page of that name in app', (path, file) => {
    const noun = path.split('/')[0] || 'landing'
    const feature = featureOfPath[noun] ?? noun
    const isPage = file === `./${noun}-page.tsx`
    expect(isPage || file.startsWith(`../features/${feature}/`), file).toBe(true)
  })
})
