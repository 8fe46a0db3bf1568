import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { useLongPaste } from './json-editor.tsx'

afterEach(cleanup)

const pack = (count: number) =>
  JSON.stringify(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`group.key_${at}`, `Text ${at}`])),
    null,
    2,
  )

function Editor({ before }: { before: string }) {
  const [source, setSource] = useState(before)
  return (
    <>
      <textarea
        value={source}
        onChange={(event) => setSource(event.target.value)}
        {...useLongPaste(setSource)}
      />
      <output>{source.length}</output>
    </>
  )
}

function open(before: string) {
  render(<Editor before={before} />)
  const area = screen.getByRole<HTMLTextAreaElement>('textbox')
  /** Returns false if the browser does not insert the paste. */
  const paste = (text: string) => fireEvent.paste(area, { clipboardData: { getData: () => text } })
  return { area, paste, kept: () => Number(screen.getByRole('status').textContent) }
}

test('paste: 2,500 texts over all selected -> inserted in one step with \\n line breaks', () => {
  const { area, paste, kept } = open('{"a": "b"}')
  area.select()
  expect(paste(pack(2_500).replaceAll('\n', '\r\n'))).toBe(false)
  expect([area.value, kept()]).toEqual([pack(2_500), pack(2_500).length])
  expect(area.selectionStart).toBe(pack(2_500).length)
})

test('paste: in the middle -> the text around it stays', () => {
  const { area, paste } = open('before after')
  area.setSelectionRange(7, 7)
  paste(pack(2_500))
  expect(area.value).toBe(`before ${pack(2_500)}after`)
})

test('paste: undone by keys -> the previous text and selection', () => {
  const { area, paste, kept } = open('{"a": "b"}')
  area.setSelectionRange(1, 4)
  paste(pack(2_500))
  fireEvent.keyDown(area, { key: 'z', ctrlKey: true })
  expect([area.value, kept(), area.selectionStart, area.selectionEnd]).toEqual(['{"a": "b"}', 10, 1, 4])
  // The browser handles a second undo.
  expect(fireEvent.keyDown(area, { key: 'z', ctrlKey: true })).toBe(true)
})

test('paste: short -> left to the browser and its undo', () => {
  const { area, paste } = open('{"a": "b"}')
  expect(paste(pack(20))).toBe(true)
  expect(area.value).toBe('{"a": "b"}')
})
