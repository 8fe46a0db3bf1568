import { expect, test } from 'vitest'
import { checkTextKeys } from './check-text-keys.mjs'

const keys = new Set([
  'trip.title',
  'trip.stars_one',
  'trip.stars_other',
  'trip.status_NEW',
  'trip.status_OLD',
  'error.No Route',
  'settings.field_dispatch_size',
  'driver.reason_late',
])
/** Code that uses every key except those under test. */
const rest = `
  t('trip.title'); t('trip.stars', { count }); t(\`trip.status_\${status}\`); const status = 'NEW' | 'OLD'
  t(\`error.\${key}\`); const key = 'No Route'
  t(\`settings.\${kind}_\${name.replace('.', '_')}\`); const kind = 'field', name = 'dispatch.size'
  t(\`\${isOwn ? 'driver' : 'trip'}.reason_\${reason}\`); const reason = 'late'
`
const problemsOf = (code: string, more: Record<string, string> = {}) =>
  checkTextKeys(new Map(Object.entries({ 'apps/web/src/a.tsx': code, ...more })), keys).problems

test('text keys: each used as a literal, plural, prefix or computed key -> no problems', () => {
  expect(problemsOf(rest)).toEqual([])
})

test.each([
  ["a column's header", "{ header: 'trip.titel' }"],
  ['a key of another file', "const key = 'trip.status_GONE'"],
  ['a prefix that no text has', "words(kinds, 'trip.kind')"],
])('text keys: %s has no text -> reported with its file', (_, code) => {
  expect(problemsOf(rest + code)).toEqual([
    expect.stringMatching(/^apps\/web\/src\/a\.tsx: no text for the key trip\./),
  ])
})

test.each([
  ['a complete key', "t('trip.title')", 'trip.title'],
  ['the stem of a counted text', "t('trip.stars', { count })", 'trip.stars_one'],
  ['the word that ends a key', "'OLD'", 'trip.status_OLD'],
  ['the word that ends a key of a chosen group', "'late'", 'driver.reason_late'],
  ['the words of an error', "'No Route'", 'error.No Route'],
  ['a word of two that end a key', "'dispatch.size'", 'settings.field_dispatch_size'],
])('text keys: %s removed from the code -> text reported as unused', (_, code, key) => {
  expect(problemsOf(rest.replace(code, 'x'))).toContain(`unused text ${key}`)
})

test('text keys: value built around a dot -> not a key', () => {
  const more = { 'apps/server/src/a.ts': '`${head}.${body}` + `${row}.status` + "OLD stars"' }
  expect(problemsOf(rest.replace("| 'OLD'", '').replace("t('trip.stars', { count });", ''), more)).toEqual([
    'unused text trip.stars_one',
    'unused text trip.stars_other',
  ])
})

test.each([
  ['a route', "closed('trip.end')", { 'packages/domain/src/access/routes.ts': "{ 'trip.end': own }" }],
  ['an idempotent call', "idempotentCall('trip.end_it', input)", {}],
  ['a file', "import './trip.tsx'", {}],
  ['the server', '', { 'apps/server/src/a.ts': "jobs('trip.tidy')" }],
])('text keys: the name of %s looks like a key -> no problems', (_, code, more) => {
  expect(problemsOf(rest + code, more)).toEqual([])
})
