// Import rules. A file's zone is the first row whose pattern matches its path; `may` lists the zones it may import.
// Tests may import anything from their workspace.

/** Server features by rank: a feature may use those before it, never those after it. */
export const featureRank = [
  'settings',
  'languages',
  'car-types',
  'promos',
  'cancel-reasons',
  'dispatch-rules',
  'places',
  'files',
  'mailbox',
  'users',
  'messages',
  'product-licence',
  'integrations',
  'accounts',
  'wallet',
  'withdraws',
  'bookings',
  'deliveries',
  'trip-links',
  'devices',
  'chats',
  'safety',
  'payments',
  'refunds',
  'receipts',
  'push-notifications',
  'users/admin',
  'search',
  'reports',
  'earnings',
  'ledger-check',
  'failed-work',
  'alerts',
  'exports',
  'audit',
  'retention',
  'table-changes',
  'demo',
  'large-city',
  'web',
]

/** Private parts of a feature: its SQL, its routes, its event reactions. */
const privateParts = /\/features\/(users\/admin|[^/]+)\/(store|routes|reactions)(\.ts$|\/)/

/**
 * @typedef {{ zone: string, pattern: RegExp, may: string[], packages?: RegExp }} Row
 * `may` lists zones; `packages` matches the allowed external packages, all when omitted.
 */

/** @type {Row[]} */
export const zones = [
  { zone: 'domain', pattern: /^packages\/domain\//, may: ['domain'], packages: /^$/ },
  {
    zone: 'contract',
    pattern: /^packages\/contract\//,
    may: ['contract', 'domain'],
    packages: /^(zod|@orpc\/contract)(\/|$)/,
  },
  {
    zone: 'client',
    pattern: /^packages\/client\/src\//,
    may: ['client', 'contract', 'domain'],
    packages: /^@orpc\/(client|contract|openapi-client)(\/|$)/,
  },

  {
    zone: 'server/config',
    pattern: /^apps\/server\/src\/config(\.ts$|\/)/,
    may: ['server/config', 'server/provider-options', 'contract', 'domain'],
  },
  {
    zone: 'server/main',
    pattern: /^apps\/server\/src\/(main|maps|commands|doctor-command|open-adapters|cluster)\.ts$/,
    may: [
      'server/main',
      'server/app',
      'server/config',
      'server/provider-options',
      'server/port',
      'server/adapter',
      'server/platform',
      'contract',
      'domain',
    ],
  },
  {
    zone: 'server/app',
    pattern: /^apps\/server\/src\/[^/]+\.ts$/,
    may: [
      'server/app',
      'server/feature',
      'server/platform',
      'server/config',
      'server/port',
      'contract',
      'domain',
    ],
  },
  {
    zone: 'server/feature',
    pattern: /^apps\/server\/src\/features\/(?<unit>users\/admin|[^/]+)\//,
    may: ['server/feature', 'server/platform', 'server/port', 'contract', 'domain'],
  },
  {
    zone: 'server/port',
    pattern: /^apps\/server\/src\/adapters\/(?<unit>[^/]+)\/(port|port\.suite)\.ts$/,
    may: ['domain'],
  },
  // Environment variables of the payment providers, beside their adapters. They load no adapter before it is opened.
  {
    zone: 'server/provider-options',
    pattern: /^apps\/server\/src\/adapters\/payments\/((.+\/)?options|registry)\.ts$/,
    may: ['server/provider-options', 'server/adapter', 'server/port', 'domain'],
  },
  {
    zone: 'server/adapter',
    pattern: /^apps\/server\/src\/adapters\/(?<unit>[^/]+)\//,
    may: ['server/adapter', 'server/provider-options', 'server/port', 'domain'],
  },
  {
    zone: 'server/platform',
    pattern: /^apps\/server\/src\/platform\//,
    may: ['server/platform', 'contract', 'domain'],
  },

  {
    zone: 'web/app',
    pattern: /^apps\/web\/src\/(app\/|[^/]+$)/,
    may: [
      'web/app',
      'web/feature',
      'web/entity',
      'web/map',
      'web/ui',
      'web/lib',
      'client',
      'contract',
      'domain',
    ],
  },
  {
    zone: 'web/feature',
    pattern: /^apps\/web\/src\/features\/(?<unit>[^/]+)\//,
    may: ['web/feature', 'web/entity', 'web/map', 'web/ui', 'web/lib', 'client', 'contract', 'domain'],
  },
  {
    zone: 'web/entity',
    pattern: /^apps\/web\/src\/entities\//,
    may: ['web/entity', 'web/ui', 'web/lib', 'client', 'contract', 'domain'],
  },
  {
    zone: 'web/map',
    pattern: /^apps\/web\/src\/map\//,
    may: ['web/map', 'web/ui', 'web/lib', 'client', 'contract', 'domain'],
  },
  {
    zone: 'web/ui',
    pattern: /^apps\/web\/src\/ui\//,
    may: ['web/ui', 'web/lib', 'client', 'contract', 'domain'],
  },
  { zone: 'web/lib', pattern: /^apps\/web\/src\/lib\//, may: ['web/lib', 'client', 'contract', 'domain'] },
  {
    zone: 'web/worker',
    pattern: /^apps\/web\/src\/service-worker\//,
    may: ['web/worker', 'web/lib', 'domain'],
  },

  {
    zone: 'simulator',
    pattern: /^apps\/simulator\/src\//,
    may: ['simulator', 'client', 'contract', 'domain'],
  },
  { zone: 'doubles', pattern: /^packages\/doubles\//, may: ['doubles'], packages: /^node:/ },
  { zone: 'e2e', pattern: /^e2e\//, may: ['e2e', 'client', 'doubles', 'contract', 'domain'] },
]

/** Zones whose units (features, adapters) must not import each other. */
const separateUnits = ['web/feature', 'server/adapter', 'server/port']

/**
 * Returns the zone of a file, and its feature or adapter, if any.
 * @param {string} file path from the root, with slashes
 */
export function zoneOf(file) {
  for (const row of zones) {
    const fits = row.pattern.exec(file)
    if (fits) return { row, unit: fits.groups?.unit }
  }
  return undefined
}

/**
 * Returns the reason an import is not allowed; undefined when it is.
 * @param {string} file the importing file
 * @param {{ specifier: string, target: string | undefined, typeOnly: boolean }} found
 *   `target` is the imported file in this repository, undefined for an external package
 * @param {() => boolean} isLight whether the imported module loads no external package
 */
export function objection(file, { specifier, target, typeOnly }, isLight) {
  const from = zoneOf(file)
  if (from === undefined || isTest(file)) return target === undefined ? undefined : crossing(file, target)
  if (target === undefined) {
    const { packages, zone } = from.row
    return packages !== undefined && !packages.test(specifier)
      ? `${zone} may not import ${specifier}`
      : undefined
  }
  const to = zoneOf(target)
  if (to === undefined) return crossing(file, target)
  if (!from.row.may.includes(to.row.zone)) return `${from.row.zone} may not import ${to.row.zone}`
  if (
    ['contract', 'client'].includes(to.row.zone) &&
    from.row.zone.startsWith('web/') &&
    !typeOnly &&
    !isLight()
  ) {
    return 'this loads zod in the browser: use import type'
  }
  if (from.row.zone === to.row.zone && from.unit !== to.unit) {
    if (separateUnits.includes(to.row.zone)) return `${from.unit} may not import ${to.unit}`
    if (to.row.zone === 'server/feature') return rankObjection(from.unit, to.unit, target)
  }
  if (from.row.zone === 'server/adapter' && to.row.zone === 'server/port' && from.unit !== to.unit) {
    return `the adapters of ${from.unit} may not import the port of ${to.unit}`
  }
  return undefined
}

/** @param {string} from @param {string} to @param {string} target */
function rankObjection(from, to, target) {
  for (const feature of [from, to]) {
    if (!featureRank.includes(feature)) return `the feature ${feature} has no rank`
  }
  if (featureRank.indexOf(from) < featureRank.indexOf(to)) return `${from} has a lower rank than ${to}`
  return privateParts.test(target)
    ? `${from} may use the service of ${to}, not its store, routes or reactions`
    : undefined
}

/** Applications never import each other, not even in tests. */
function crossing(/** @type {string} */ file, /** @type {string} */ target) {
  const workspace = (/** @type {string} */ path) =>
    /^(apps|packages)\/[^/]+/.exec(path)?.[0] ?? path.split('/')[0]
  const [from, to] = [workspace(file), workspace(target)]
  // The root configuration may import all workspaces.
  if (from === to || from === 'bench' || from === 'scripts' || from === 'vitest.config.ts') return undefined
  if (to === 'packages/domain' || to === 'packages/doubles') return undefined
  if (to === 'packages/contract' && from !== 'packages/domain') return undefined
  // A test of the server may call it through the client.
  if (to === 'packages/client' && from !== 'packages/domain' && from !== 'packages/contract') return undefined
  return `${from} may not import ${to}`
}

const isTest = (/** @type {string} */ file) => /\.(test|suite|fixture)\.tsx?$|\/test-[\w-]+\.tsx?$/.test(file)
