import { ApiError } from '@hansom/client/api-error'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import {
  cell,
  columns,
  idOf,
  type Promo,
  press,
  save,
  server,
  setUpTable,
  show,
  type,
  wait,
} from './data-table.fixture.tsx'
import type { CellEdit, TableColumn } from './table-types.ts'
import { putTableRow } from './table-updates.ts'

setUpTable()

it('edit -> shown immediately, sent after 600 ms with the row read, response is kept', async () => {
  await show()
  type(0, 0, 'OMEGA')
  expect(cell(0, 0).textContent).toBe('OMEGA')
  await wait(599)
  expect(save).not.toHaveBeenCalled()
  await wait(1)
  expect(save).toHaveBeenCalledExactlyOnceWith(server.promos[0], { code: 'OMEGA' })
  type(0, 0, 'PSI')
  await wait(600)
  expect(save.mock.calls[1]?.[0]).toMatchObject({ version: 2, code: 'OMEGA' })
  expect(cell(0, 0).textContent).toBe('PSI')
})

it('several edits of a row -> sent together, Tab moves to the next cell', async () => {
  await show()
  type(1, 0, 'DELTA', 'Tab')
  const field = document.activeElement as HTMLInputElement
  expect(field.value).toBe('1')
  fireEvent.change(field, { target: { value: '2,5' } })
  press('Enter')
  await wait(600)
  expect(save).toHaveBeenCalledExactlyOnceWith(server.promos[1], { code: 'DELTA', value: 25_000 })
})

it('edit refused -> what was typed stays in the cell, with the reason', async () => {
  save.mockRejectedValue(new ApiError('proper_input_name', 400))
  await show()
  type(0, 0, 'OMEGA')
  await wait(600)
  const field = within(cell(0, 0)).getByRole<HTMLInputElement>('textbox')
  expect(field.value).toBe('OMEGA')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  const said = screen.getAllByRole('alert').map((one) => one.textContent)
  expect(said.join()).toContain('table.not_saved')
})

it('invalid value -> cell stays open; Esc -> discards', async () => {
  await show()
  act(() => cell(0, 0).focus())
  press('Enter')
  fireEvent.change(document.activeElement as HTMLElement, { target: { value: '' } })
  press('Enter')
  expect((document.activeElement as HTMLElement).getAttribute('aria-invalid')).toBe('true')
  press('Escape')
  expect(cell(0, 0).textContent).toBe('ALFA')
  expect(document.activeElement).toBe(cell(0, 0))
  await wait(1000)
  expect(save).not.toHaveBeenCalled()
})

it('conflict on a row -> asks which change to keep', async () => {
  const theirs = { ...(server.promos[0] as Promo), version: 7, code: 'THEIRS' }
  save.mockRejectedValueOnce(new ApiError('conflict', 409, { data: { current: theirs } }))
  await show()
  type(0, 0, 'MINE')
  await wait(600)
  const dialog = screen.getByRole('alertdialog')
  const line = within(dialog).getByRole('row', { name: /code/ })
  expect(
    within(line)
      .getAllByRole('cell')
      .map((one) => one.textContent),
  ).toEqual(['MINE', 'THEIRS'])
  fireEvent.click(within(dialog).getByText('table.keep_mine'))
  expect(cell(0, 0).textContent).toBe('MINE')
  await wait(600)
  expect(save).toHaveBeenLastCalledWith(theirs, { code: 'MINE' })
})

it('conflict, theirs chosen -> keeps the other change', async () => {
  const theirs = { ...(server.promos[0] as Promo), version: 7, code: 'THEIRS' }
  save.mockRejectedValueOnce(new ApiError('conflict', 409, { data: { current: theirs } }))
  await show()
  type(0, 0, 'MINE')
  await wait(600)
  fireEvent.click(screen.getByText('table.take_theirs'))
  expect(cell(0, 0).textContent).toBe('THEIRS')
  await wait(1000)
  expect(save).toHaveBeenCalledOnce()
})

it('conflicts on two rows -> asks one after the other', async () => {
  save.mockImplementation(async (promo) => {
    throw new ApiError('conflict', 409, {
      data: { current: { ...promo, version: 7, code: `THEIR ${promo.code}` } },
    })
  })
  await show()
  type(0, 0, 'MINE')
  type(1, 0, 'MINE TOO')
  await wait(600)
  fireEvent.click(screen.getByText('table.take_theirs'))
  expect(within(screen.getByRole('alertdialog')).getByText('MINE TOO')).toBeTruthy()
  fireEvent.click(screen.getByText('table.take_theirs'))
  expect([cell(0, 0).textContent, cell(1, 0).textContent]).toEqual(['THEIR ALFA', 'THEIR BETA'])
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

it('live event during an edit -> edit stays on top, older rows are ignored', async () => {
  await show()
  type(0, 0, 'MINE')
  act(() => putTableRow('promos', { ...(server.promos[0] as Promo), version: 3, value: 90_000 }, idOf))
  await wait(1)
  expect([cell(0, 0).textContent, cell(0, 1).textContent]).toEqual(['MINE', '9'])
  act(() => putTableRow('promos', { ...(server.promos[0] as Promo), version: 2, value: 50_000 }, idOf))
  await wait(1)
  expect(cell(0, 1).textContent).toBe('9')
})

it('edit -> sent with the row seen when it began', async () => {
  await show()
  act(() => cell(0, 0).focus())
  press('F2')
  act(() => putTableRow('promos', { ...(server.promos[0] as Promo), version: 5, code: 'THEIRS' }, idOf))
  await wait(1)
  fireEvent.change(document.activeElement as HTMLElement, { target: { value: 'MINE' } })
  press('Enter')
  await wait(600)
  expect(save.mock.calls[0]?.[0].version).toBe(1)
})

it('refused edit, corrected -> sent; discarded -> old value', async () => {
  save.mockRejectedValueOnce(
    new ApiError('invalid_input', 400, { fields: [{ field: 'code', error: 'taken' }] }),
  )
  await show()
  type(0, 0, 'OMEGA')
  await wait(600)
  const field = within(cell(0, 0)).getByRole('textbox')
  expect(screen.getByText('error.field_taken')).toBeTruthy()
  act(() => field.focus())
  act(() => cell(1, 0).focus())
  await wait(1000)
  expect(save).toHaveBeenCalledOnce()
  fireEvent.change(field, { target: { value: 'PSI' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await wait(600)
  expect(save).toHaveBeenLastCalledWith(server.promos[0], { code: 'PSI' })
  expect(cell(0, 0).textContent).toBe('PSI')
})

it('focus leaves an invalid value -> it stays, with the reason; Esc -> old value', async () => {
  await show()
  type(0, 0, '', 'x')
  act(() => cell(1, 1).focus())
  await wait(1000)
  const field = within(cell(0, 0)).getByRole<HTMLInputElement>('textbox')
  expect(field.value).toBe('')
  expect(within(cell(0, 0)).getByRole('alert').textContent).toBe('error.field_proper_input_name')
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(cell(0, 0).textContent).toBe('ALFA')
  expect(save).not.toHaveBeenCalled()
})

it('edit saved -> can be undone', async () => {
  await show()
  type(0, 0, 'OMEGA')
  await wait(600)
  fireEvent.click(screen.getByText('table.undo'))
  expect(cell(0, 0).textContent).toBe('ALFA')
  await wait(600)
  expect(save).toHaveBeenLastCalledWith(expect.objectContaining({ version: 2 }), { code: 'ALFA' })
  expect(screen.getByText('table.undone')).toBeTruthy()
})

it('edit of a value that may not be empty but was -> saved, cannot be undone', async () => {
  for (const promo of server.promos) promo.code = promo.id === 'p0' ? '' : promo.code
  await show()
  type(0, 0, 'OMEGA')
  await wait(600)
  expect(screen.getByText('table.saved')).toBeTruthy()
  expect(screen.queryByText('table.undo')).toBeNull()
})

it('undo lost to a conflict -> the next edit is saved, not undone', async () => {
  await show()
  type(0, 0, 'OMEGA')
  await wait(600)
  const theirs = { ...(server.promos[0] as Promo), version: 7, code: 'THEIRS' }
  save.mockRejectedValueOnce(new ApiError('conflict', 409, { data: { current: theirs } }))
  fireEvent.click(screen.getByText('table.undo'))
  await wait(600)
  fireEvent.click(screen.getByText('table.take_theirs'))
  type(0, 0, 'PSI')
  await wait(600)
  expect(save).toHaveBeenLastCalledWith(theirs, { code: 'PSI' })
  expect(screen.getByText('table.saved')).toBeTruthy()
  expect(screen.queryByText('table.undone')).toBeNull()
})

it('undo and another edit sent together -> saved, not undone', async () => {
  await show()
  type(0, 0, 'OMEGA')
  await wait(600)
  fireEvent.click(screen.getByText('table.undo'))
  type(0, 1, '7')
  await wait(600)
  expect(save.mock.lastCall?.[1]).toEqual({ code: 'ALFA', value: 70_000 })
  expect(screen.getByText('table.saved')).toBeTruthy()
  expect(screen.queryByText('table.undone')).toBeNull()
})

it('undo merged with a change of other fields, or kept in a conflict -> undone', async () => {
  await show()
  type(0, 0, 'OMEGA')
  await wait(600)
  const theirs = { ...(server.promos[0] as Promo), version: 7, code: 'OMEGA', value: 50_000 }
  const clashing = { ...theirs, version: 8, code: 'THEIRS' }
  save.mockRejectedValueOnce(new ApiError('conflict', 409, { data: { current: theirs } }))
  save.mockRejectedValueOnce(new ApiError('conflict', 409, { data: { current: clashing } }))
  fireEvent.click(screen.getByText('table.undo'))
  await wait(1200)
  fireEvent.click(screen.getByText('table.keep_mine'))
  await wait(600)
  expect(save).toHaveBeenLastCalledWith(clashing, { code: 'ALFA' })
  expect(screen.getByText('table.undone')).toBeTruthy()
})

it('conflict on other fields -> both changes are kept without a question', async () => {
  const theirs = { ...(server.promos[0] as Promo), version: 7, value: 50_000 }
  save.mockRejectedValueOnce(new ApiError('conflict', 409, { data: { current: theirs } }))
  await show()
  type(0, 0, 'MINE')
  await wait(1200)
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(save).toHaveBeenLastCalledWith(theirs, { code: 'MINE' })
  expect([cell(0, 0).textContent, cell(0, 1).textContent]).toEqual(['MINE', '5'])
})

it('conflict -> names who made the other change', async () => {
  const theirs = { ...(server.promos[0] as Promo), version: 7, code: 'THEIRS' }
  save.mockRejectedValueOnce(new ApiError('conflict', 409, { data: { current: theirs, by: 'Elena' } }))
  await show()
  type(0, 0, 'MINE')
  await wait(600)
  expect(screen.getByRole('alertdialog').textContent).toContain('table.conflict_by')
})

describe('confirmation', () => {
  const [code, value] = columns as [TableColumn<Promo>, TableColumn<Promo>]
  const flag: TableColumn<Promo> = {
    id: 'open',
    header: 'open',
    cell: ({ value }) => String(value > 0),
    edit: { kind: 'flag', value: ({ value }) => value > 0, changes: (on) => ({ value: on ? 1 : 0 }) },
  }
  const asking = [code, { ...value, edit: { ...value.edit, confirm: () => 'sure' } as CellEdit<Promo> }, flag]

  it('change with consequences -> asks, starting at Cancel; confirmed -> saved; undone -> no question', async () => {
    await show('/', { columns: asking })
    type(1, 1, '7')
    const question = screen.getByRole('alertdialog', { name: 'sure' })
    expect(document.activeElement).toBe(within(question).getByText('common.cancel'))
    await wait(1000)
    expect(save).not.toHaveBeenCalled()
    fireEvent.click(within(question).getByText('table.confirm'))
    await wait(600)
    expect(save).toHaveBeenCalledExactlyOnceWith(server.promos[1], { value: 70_000 })
    fireEvent.click(screen.getByText('table.undo'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await wait(600)
    expect(save).toHaveBeenLastCalledWith(expect.anything(), { value: 10_000 })
  })

  it('question with its own parameters -> names them', async () => {
    const confirm = () => ({ key: 'Without {{names}}?', params: { names: 'count' } })
    await show('/', {
      columns: [code, { ...value, edit: { ...value.edit, confirm } as CellEdit<Promo> }, flag],
    })
    type(1, 1, '7')
    expect(screen.getByRole('alertdialog').textContent).toContain('Without count?')
    await wait(1000)
    expect(save).not.toHaveBeenCalled()
  })

  it('change declined -> typed value is back in its editor', async () => {
    await show('/', { columns: asking })
    type(1, 1, '7')
    fireEvent.keyDown(document.activeElement as HTMLElement, { key: 'Escape' })
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect((document.activeElement as HTMLInputElement).value).toBe('7')
    press('Escape')
    expect(cell(1, 1).textContent).toBe('1')
    await wait(1000)
    expect(save).not.toHaveBeenCalled()
  })

  it.each(['press', 'focus'])('%s elsewhere while it asks -> change is discarded', async (way) => {
    await show('/', { columns: asking })
    type(1, 1, '7')
    const other = cell(0, 0)
    if (way === 'press') fireEvent.pointerDown(other)
    else act(() => other.focus())
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(cell(1, 1).textContent).toBe('1')
    if (way === 'focus') expect(document.activeElement).toBe(other)
    await wait(1000)
    expect(save).not.toHaveBeenCalled()
  })

  it.each(['F2', 'Enter'])('%s on a switch -> asks, starting at Cancel', async (key) => {
    await show('/', { columns: asking })
    act(() => cell(1, 2).focus())
    press(key)
    const question = screen.getByRole('alertdialog', { name: 'table.confirm_flag' })
    expect(document.activeElement).toBe(within(question).getByText('common.cancel'))
    fireEvent.click(document.activeElement as HTMLElement)
    await wait(1000)
    expect(save).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(cell(1, 2))
  })

  it('switch clicked -> saved, with undo', async () => {
    await show('/', { columns: asking })
    fireEvent.click(within(cell(1, 2)).getByRole('switch'), { detail: 1 })
    await wait(600)
    expect(save).toHaveBeenCalledExactlyOnceWith(server.promos[1], { value: 0 })
    expect(screen.getByText('table.undo')).toBeTruthy()
  })

  it('row dialog: changes with consequences -> all questions, declined keeps the texts, confirmed saves', async () => {
    const confirm = () => ({ key: 'Without {{names}}?', params: { names: 'count' } })
    const codeToo = { ...code, edit: { ...code.edit, confirm } as CellEdit<Promo> }
    await show('/', { columns: [codeToo, asking[1] as TableColumn<Promo>] })
    fireEvent.click(screen.getAllByRole('button', { name: /table.actions_of/ })[1] as HTMLElement)
    fireEvent.click(screen.getByRole('menuitem', { name: 'table.edit' }))
    const dialog = screen.getByRole('dialog')
    const submit = async () => {
      fireEvent.click(within(dialog).getByRole('button', { name: 'table.save' }))
      await wait(50)
      return screen.getByRole('alertdialog')
    }
    fireEvent.change(within(dialog).getByLabelText('value'), { target: { value: '7' } })
    expect((await submit()).textContent).not.toContain('Without count?')
    fireEvent.click(within(screen.getByRole('alertdialog')).getByText('common.cancel'))
    await wait(50)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(within(dialog).getByLabelText<HTMLInputElement>('value').value).toBe('7')

    fireEvent.change(within(dialog).getByLabelText('code'), { target: { value: 'OMEGA' } })
    const question = await submit()
    expect(within(question).getByText('Without count?')).toBeTruthy()
    expect(within(question).getByText('sure').nextSibling?.textContent).toBe('1 7')
    expect(save).not.toHaveBeenCalled()
    fireEvent.click(within(question).getByText('table.confirm'))
    await wait(50)
    expect(save).toHaveBeenCalledExactlyOnceWith(server.promos[1], { code: 'OMEGA', value: 70_000 })
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
