import { extraProblems } from '@hansom/domain/car-types/check-car-type'
import carTypes from '@hansom/domain/languages/packs/en/carTypes.json'
import { unit } from '@hansom/domain/money/amount'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { ListEditor, type ListName, type ListRow, listRows, listSpecs, readRow } from './list-editor.tsx'

const texts = Object.fromEntries(Object.entries(carTypes).map(([key, text]) => [`carTypes.${key}`, text]))

/** Shows a list in its editor; `read` gives what the rows stand for. */
function edit(name: ListName, lines: readonly object[]) {
  storeTestSettings()
  startEnglish(texts)
  const spec = listSpecs[name]
  let rows: readonly ListRow[] = listRows(lines, spec, { timezone: 'UTC', decimal: 2 })
  function Shown() {
    const [shown, show] = useState(rows)
    return (
      <ListEditor
        spec={spec}
        rows={shown}
        errorOf={(part) => (part === '1.amount' ? 'wrong' : undefined)}
        onChange={(changed) => {
          rows = changed
          show(changed)
        }}
      />
    )
  }
  render(<Shown />)
  return { read: () => rows.map((row) => readRow(row, spec)) }
}
const type = (label: string, line: number, value: string) => {
  const input = screen.getAllByLabelText(label)[line]
  if (!input) throw new Error(`no line ${line}`)
  fireEvent.change(input, { target: { value } })
}

test('parcel types: line added and typed -> read with its amount; error at its own field', () => {
  const { read } = edit('parcelTypes', [{ description: 'Documents', amount: 0 }])
  fireEvent.click(screen.getByRole('button', { name: 'Add parcel type' }))
  type('Description', 1, ' Large box ')
  type('Amount', 1, '12.50')
  expect(read()).toEqual([
    { description: 'Documents', amount: 0 },
    { description: 'Large box', amount: 12.5 * unit },
  ])
  expect(screen.getAllByText('wrong')).toHaveLength(1)
})

test('options: unreadable amount -> a problem of that line; line removed -> the others stay', () => {
  const { read } = edit('options', [
    { description: 'Two people', amount: unit },
    { description: 'Cold box', amount: 2 * unit },
  ])
  type('Amount', 0, 'x')
  const extras = read().map(({ description, amount }) => ({
    description: String(description),
    amount: Number(amount),
  }))
  expect(extraProblems('options', extras)).toMatchObject([{ field: 'options.0.amount' }])
  fireEvent.click(screen.getByRole('button', { name: 'Remove option 1' }))
  expect(read()).toEqual([{ description: 'Cold box', amount: 2 * unit }])
})

test('cancellation fee: steps -> minutes and amounts; no more than ten', () => {
  const steps = Array.from({ length: 10 }, (_, line) => ({ minsDelayed: line, amount: line * unit }))
  const { read } = edit('cancelSlab', steps)
  expect(read()).toEqual(steps)
  expect(screen.queryByRole('button', { name: 'Add step' })).toBeNull()
})
