import { expect, test } from 'vitest'
import { checkWords } from './check-words.mjs'

const check = (file: string, text: string) => checkWords(new Map([[file, text]])).problems

test.each([
  ['// Kept, whatever the clock says.', '“whatever”'],
  ['const isForNobody = true', '“Nobody”'],
  ["it('somebody else saves -> conflict')", '“somebody”'],
  ['the request is read anew', '“anew”'],
  ['Refunds are made by hand.', '“by hand”'],
  ['the driver and his car', '“his”'],
])('words: %s -> found with its line and a better word', (text, found) => {
  expect(check('docs/guide.md', `\n${text}`)).toEqual([
    expect.stringContaining(`docs/guide.md:2: ${found}: write `),
  ])
})

test.each([
  ['docs/guide.md', 'An admin refunds it manually; they see the amount. This history shows the newest.'],
  ['e2e/accounts.spec.ts', "{ email: 'nobody@x.test', locale: 'he' }"],
  ['apps/server/migrations/0001_first_trip.sql', '-- whatever'],
  ['packages/domain/src/languages/packs/pt/trip.json', '{ "a": "anew" }'],
])('words: %s: %s -> nothing found', (file, text) => {
  expect(check(file, text)).toEqual([])
})
