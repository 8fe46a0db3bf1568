import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'

/** From so many letters on a paste is put in as a whole. */
const longPaste = 20_000

/**
 * Handlers for a text area that takes long texts. Browsers put a paste in line by line, each time over all lines before:
 * 2,000 lines took seven seconds, 4,000 a minute. A long one is put in at once, and taken back by the keys for that.
 */
export function usePasteWhole(onChange: (value: string) => void) {
  const last = useRef<{ before: string; start: number; end: number; after: string } | null>(null)

  const put = (area: HTMLTextAreaElement, value: string, caret: number) => {
    area.value = value
    area.setSelectionRange(caret, caret)
    onChange(value)
  }
  return {
    onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
      // As the area keeps its lines.
      const text = event.clipboardData.getData('text/plain').replaceAll(/\r\n?/g, '\n')
      if (text.length < longPaste) return
      event.preventDefault()
      const area = event.currentTarget
      const { value: before, selectionStart: start, selectionEnd: end } = area
      const after = before.slice(0, start) + text + before.slice(end)
      last.current = { before, start, end, after }
      put(area, after, start + text.length)
    },
    onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
      const area = event.currentTarget
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
      if (!isUndo || last.current === null || area.value !== last.current.after) return
      event.preventDefault()
      const { before, start, end } = last.current
      last.current = null
      put(area, before, end)
      area.setSelectionRange(start, end)
    },
  }
}
