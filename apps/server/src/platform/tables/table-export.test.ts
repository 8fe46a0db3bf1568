import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, textCell } from './table-export.ts'

test.each([
  ['plain', '"plain"'],
  ['', '""'],
  ['a "b", c', '"a ""b"", c"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', `"'=1+1"`],
  ['+598 99', `"'+598 99"`],
  ['-5', `"'-5"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['＝1', `"'＝1"`],
  ['a=1', '"a=1"'],
  ['="a""b"', `"'=""a""""b"""`],
])('textCell: %j -> %j', (text, cell) => {
  expect(textCell(text)).toBe(cell)
})

const cellText = fc.string({
  unit: fc.constantFrom('"', ',', '\r', '\n', '\t', '=', '+', '-', '@', "'", 'a', 'é', ' '),
  maxLength: 12,
})

test('csvLine: any texts -> read back unchanged except for the apostrophe', () => {
  fc.assert(
    fc.property(fc.array(cellText, { minLength: 1, maxLength: 5 }), (texts) => {
      const line = csvLine(texts.map(textCell))
      expect(line.endsWith('\r\n')).toBe(true)
      const cells = [...line.slice(0, -2).matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) =>
        cell.replaceAll('""', '"'),
      )
      expect(cells.map((cell, at) => (cell === `'${texts[at]}` ? texts[at] : cell))).toEqual(texts)
      for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    }),
  )
})
