import { expect, test } from 'vitest'
import { readImportFile } from './read-import-file.ts'

const header = 'pickup,drop,person,phone'
const line = 'Plaza,Rambla 1,Ada,099 111 222'

test('file: byte order mark, semicolons, quotes, Windows line ends -> the same row', async () => {
  const [plain] = await readImportFile(`${header}\n${line}\n`, {})
  const spreadsheet = `\ufeff${header.replaceAll(',', ';')}\r\n"Plaza";Rambla 1;"Ada";099 111 222\r\n;;;\r\n`
  expect(await readImportFile(spreadsheet, {})).toEqual([plain])
  expect(plain).toMatchObject({ n: 2, data: { pickup: 'Plaza', person: 'Ada' } })
})

test('file: quoted line break and quote -> one cell, and rows are counted as in a spreadsheet', async () => {
  const rows = await readImportFile(`${header}\nPlaza,"Rambla ""1""\nFlat 2",Ada,099 111 222\n${line}`, {})
  expect(rows.map(({ n, data }) => [n, data.drop])).toEqual([
    [2, 'Rambla "1"\nFlat 2'],
    [3, 'Rambla 1'],
  ])
})

test('keys: equal rows -> different keys; the same row in another file -> the same key', async () => {
  const [first, second] = await readImportFile(`${header}\n${line}\n${line}`, {})
  expect(first?.key).not.toBe(second?.key)
  const [, other] = await readImportFile(`${header}\nPlaza,Rambla 2,Ben,099 333 444\n${line}`, {})
  expect(other?.key).toBe(first?.key)
})

test('file: one pickup and vehicle for all -> fill empty cells only', async () => {
  const rows = await readImportFile(`${header}\n,Rambla 1,Ada,099 111 222\n${line}`, {
    pickup: 'Shop',
    vehicle: 'Van',
  })
  expect(rows.map(({ data }) => [data.pickup, data.vehicle])).toEqual([
    ['Shop', 'Van'],
    ['Plaza', 'Van'],
  ])
})

test.each([
  ['open quote', `${header}\n${line}\n"Plaza,x`, { key: 'invalid_input', data: { row: 3 } }],
  ['missing column', `pickup,drop,person\nPlaza,x,Ada`, { fields: [{ field: 'phone', error: 'required' }] }],
  ['no rows', header, { key: 'file_without_rows' }],
  ['not UTF-8', `${header}\nPlaza,N\ufffdez,Ada,099 111 222`, { key: 'invalid_input' }],
  ['2,001 rows', `${header}\n${`${line}\n`.repeat(2_001)}`, { key: 'too_large' }],
  ['over 1 MB', `${header}\n${'é'.repeat(500_001)}`, { key: 'too_large' }],
])('file: %s -> refused', async (_name, text, refusal) => {
  await expect(readImportFile(text, {})).rejects.toMatchObject(refusal)
})
