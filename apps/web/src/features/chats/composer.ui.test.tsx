import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { startEnglish } from '../../lib/test-data.fixture.ts'
import { Composer } from './composer.tsx'

afterEach(cleanup)

it('file that is no photo, then a message -> the problem is gone', async () => {
  startEnglish({})
  const onSend = vi.fn()
  render(<Composer onSend={onSend} onTyping={() => {}} />)
  const file = new File(['text'], 'note.txt', { type: 'text/plain' })
  fireEvent.change(screen.getByLabelText('chat.add_photo'), { target: { files: [file] } })
  await screen.findByRole('alert')
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'At the gate' } })
  fireEvent.click(screen.getByRole('button', { name: 'chat.send' }))
  expect(onSend).toHaveBeenCalledWith({ message: 'At the gate' })
  expect(screen.queryByRole('alert')).toBeNull()
})
