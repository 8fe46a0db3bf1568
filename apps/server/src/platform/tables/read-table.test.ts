import { Refusal } from '@hansom/domain/error-keys'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCursor, writeCursor } from './read-table.ts'
import type { SortColumn } from './table.ts'

const id = '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f'
const column = (type: SortColumn['type'], nullable = false): SortColumn => ({
  sql: sql`x`,
  type,
  ...(nullable && { nullable }),
})

test('cursor: any text -> read back as written', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 160 }).filter((text) => !/[\0\p{Surrogate}]/u.test(text)),
      (text) => {
        const cursor = writeCursor('name', [text, id])
        expect(cursor).toMatch(/^[\w-]+$/)
        expect(readCursor(cursor, 'name', column('text'))).toEqual([text, id])
      },
    ),
  )
})

const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
test.each([
  ['nothing', '', column('int8')],
  ['no JSON', 'abc', column('int8')],
  ['no list', forged({ 0: '-at' }), column('int8')],
  ['another sort', writeCursor('at', [1, id]), column('int8')],
  ['another type', writeCursor('-at', ['1', id]), column('int8')],
  ['a fraction', forged(['-at', 1.5, id]), column('int8')],
  ['beyond what a number holds', forged(['-at', 2 ** 60, id]), column('int8')],
  ['a list for a text', forged(['-at', ['x'], id]), column('text')],
  ['NUL in a text', forged(['-at', 'x\0', id]), column('text')],
  ['half a letter', forged(['-at', '\ud800', id]), column('text')],
  ['no id', writeCursor('-at', [1, 'x']), column('int8')],
  ['null where nothing is empty', writeCursor('-at', [null, id]), column('int8')],
  ['more than three parts', forged(['-at', 1, id, 1]), column('int8')],
])('readCursor: %s -> invalid_input', (_what, text, sortColumn) => {
  expect(() => readCursor(text, '-at', sortColumn)).toThrow(
    expect.objectContaining({ key: 'invalid_input', fields: [{ field: 'cursor', error: 'wrong_type' }] }),
  )
  expect(() => readCursor(text, '-at', sortColumn)).toThrow(Refusal)
})

test('readCursor: null in a nullable column -> position', () => {
  expect(readCursor(writeCursor('-at', [null, id]), '-at', column('int8', true))).toEqual([null, id])
})
