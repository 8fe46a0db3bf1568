import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { KeptFor } from './per-user-storage.ts'
import { clearStored } from './stored-keys.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

const own = (uid: string) => JSON.stringify({ uid, items: [1] })
const names = () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].toSorted()

test('user leaves -> all they stored is removed, also under a key that no list names; the device’s stays', () => {
  localStorage.setItem('hansom-panic', own('a'))
  localStorage.setItem('hansom-something-new', 'text')
  localStorage.setItem('hansom.views.users', '[]')
  sessionStorage.setItem('hansom-led-on:1', '1')
  const device = { 'hansom-theme': 'dark', 'hansom-left': 'a', 'hansom-push': 'a', other: 'x' }
  for (const [key, value] of Object.entries(device)) localStorage.setItem(key, value)
  clearStored('a', null)
  expect(names()).toEqual(Object.keys(device).toSorted())
})

test('another user takes over -> theirs stays, also what a page of theirs has stored already', () => {
  localStorage.setItem('hansom-chat', own('b'))
  localStorage.setItem('hansom-driver-steps', own('a'))
  localStorage.setItem('hansom-alarm-closed', '5')
  clearStored('a', 'b')
  expect(names()).toEqual(['hansom-chat'])
})

test('visitor signs in -> their draft stays, what names another user does not', () => {
  sessionStorage.setItem('hansom-draft', JSON.stringify({ pickup: null }))
  localStorage.setItem('hansom-recent-places', JSON.stringify({ uid: null, places: [] }))
  localStorage.setItem('hansom-panic', own('b'))
  clearStored(null, 'a')
  expect(names()).toEqual(['hansom-draft', 'hansom-recent-places'])
})

test('session ended by the server -> what is not sent stays for its user, until another one signs in', () => {
  localStorage.setItem('hansom-driver-steps', own('a'))
  localStorage.setItem('hansom-alarm-closed', '5')
  clearStored('a', null, true)
  expect(names()).toEqual(['hansom-driver-steps'])
  clearStored(null, 'a')
  expect(names()).toEqual(['hansom-driver-steps'])
  clearStored('a', null, true)
  clearStored(null, 'b')
  expect(names()).toEqual([])
})

test('same user signs in again -> everything stays', () => {
  localStorage.setItem('hansom-driver-steps', own('a'))
  localStorage.setItem('hansom-alarm-closed', '5')
  clearStored('a', 'a')
  expect(names()).toEqual(['hansom-alarm-closed', 'hansom-driver-steps'])
})

test('what still runs for a user who left -> stores nothing, until they are back', () => {
  const kept = new KeptFor<number>(localStorage, 'hansom-driver-positions', 'a')
  clearStored('a', null)
  kept.write([1])
  expect(names()).toEqual([])
  clearStored(null, 'a')
  kept.write([1])
  expect(kept.read()).toEqual([1])
})

const folder = join(import.meta.dirname, '..')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|fixture)\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** The beginnings of the keys that the code stores under; `null` where it is neither a text nor a constant. */
function storedUnder(): { name: string; key: string | null }[] {
  const uses = /(?:\bsetItem\(|\buseStoredState(?:<[^>]*>)?\(|\bnew KeptFor(?:<[^>]*>)?\([^,]+,)\s*([^,]+),/g
  const constants = sources.map(({ text }) => text).join('\n')
  return sources.flatMap(({ name, text }) =>
    [...text.matchAll(uses)].map(([, given = '']) => {
      const literal = /^['"`]([^'"`$]+)/.exec(given)?.[1]
      const constant = /^\w+/.exec(given)?.[0] ?? ''
      const declared = [text, constants].map(
        (where) => new RegExp(`const ${constant} = (?:\\([^)]*\\) => )?['"\`]([^'"\`$]+)`).exec(where)?.[1],
      )
      return { name, key: literal ?? declared.find((one) => one !== undefined) ?? null }
    }),
  )
}

test('every key that the code stores under -> begins like those that are cleared', () => {
  // They store under the key that they are given, or only read.
  const generic = ['lib/per-user-storage.ts', 'lib/use-stored-state.ts', 'entities/users/leave.ts']
  const keys = storedUnder().filter(({ name }) => !generic.includes(name))
  expect(keys.length).toBeGreaterThan(15)
  expect(keys.filter(({ key }) => key === null || !/^hansom[-.]/.test(key))).toEqual([])
  const spared = keys.filter(({ key }) => {
    localStorage.setItem(key ?? '', 'text')
    clearStored('a', null)
    return localStorage.getItem(key ?? '') !== null
  })
  // A key that is added here holds nothing of a user.
  expect([...new Set(spared.map(({ key }) => key))].toSorted()).toEqual([
    'hansom-dispatch-sound',
    'hansom-left',
    'hansom-menu-groups',
    'hansom-menu-shown',
    'hansom-push',
    'hansom-push-later',
    'hansom-single-keys',
    'hansom-theme',
  ])
})
