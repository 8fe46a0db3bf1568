import { ApiError } from '@hansom/client/api-error'
import type { PublicSettings } from '@hansom/contract/settings'
import type { FieldError } from '@hansom/domain/error-keys'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startLanguage } from '../lib/i18n.ts'
import { queryClient } from '../lib/query-client.ts'
import { storeSettings } from '../lib/settings.ts'
import { RecordDialog } from './record-dialog.tsx'
import { fieldOf } from './record-field.tsx'
import type { RecordChange } from './record-form.tsx'
import type { TableColumn } from './table/table-types.ts'

interface Fields {
  code: string
  value: number
  note: string
}
interface Promo extends Fields {
  id: string
  version: number
}

const column = (id: 'code' | 'note'): TableColumn<Fields> => ({
  id,
  header: id,
  cell: (row) => row[id],
  edit: { kind: 'text', value: (row) => row[id], changes: (text) => ({ [id]: String(text) }) },
})
const fields = [
  fieldOf(column('code')),
  fieldOf<Fields>({
    id: 'value',
    header: 'value',
    cell: ({ value }) => `${value / 10_000}`,
    edit: { kind: 'amount', value: ({ value }) => value, changes: (value) => ({ value: Number(value) }) },
  }),
  fieldOf(column('note')),
]
const blank: Fields = { code: '', value: Number.NaN, note: '' }
const stored: Promo = { id: 'p1', version: 3, code: 'ALFA', value: 20_000, note: 'old' }

const check = ({ code, value }: Fields): FieldError[] => [
  ...(code === '' ? [{ field: 'code', error: 'required' as const }] : []),
  ...(value < 0 ? [{ field: 'value', error: 'below_zero' as const }] : []),
]

const save = vi.fn<(change: RecordChange<Fields, Promo>) => Promise<Promo>>()
const onSaved = vi.fn<(promo: Promo) => void>()
const onClose = vi.fn<() => void>()

beforeEach(() => {
  startLanguage(
    {
      langName: 'English',
      langLocale: 'en',
      dateLocale: 'en-GB',
      default: true,
      direction: 'ltr',
      keyValuePairs: { 'table.conflict_by': '{{name}} changed the same fields' },
    },
    [],
  )
  queryClient.clear()
  storeSettings({ ...defaultSettings, version: 1 } as unknown as PublicSettings)
  save.mockReset().mockImplementation(async ({ draft, record }) => ({
    ...draft,
    id: 'p1',
    version: (record?.version ?? 0) + 1,
  }))
})
afterEach(() => {
  cleanup()
  onlineManager.setOnline(true)
  vi.clearAllMocks()
})

async function show(record: Promo | null): Promise<void> {
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <RecordDialog<Fields, Promo>
          title="Promo"
          action="Save"
          command={`promos ${record?.id ?? ''}`}
          record={record}
          blank={blank}
          fields={fields}
          check={check}
          save={save}
          onClose={onClose}
          onSaved={onSaved}
        />
      ),
    }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByLabelText('code')
}

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, text: string) => fireEvent.change(input(label), { target: { value: text } })
const submit = () => act(async () => fireEvent.submit(document.querySelector('form') as HTMLFormElement))
const texts = () => ['code', 'value', 'note'].map((label) => input(label).value)
const conflict = (current: Promo) => new ApiError('conflict', 409, { data: { current, by: 'Ana Pérez' } })

it('new record: invalid -> all problems after the attempt, nothing sent', async () => {
  await show(null)
  expect(document.querySelector('[aria-invalid]')).toBeNull()
  await submit()
  expect(input('code').getAttribute('aria-invalid')).toBe('true')
  expect(input('value').getAttribute('aria-invalid')).toBe('true')
  expect(input('note').getAttribute('aria-invalid')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(input('code')))
  expect(save).not.toHaveBeenCalled()

  type('code', 'BETA')
  type('value', '-1')
  expect(input('code').getAttribute('aria-invalid')).toBeNull()
  expect(screen.getByText('error.field_below_zero')).toBeTruthy()
  type('value', '2,5')
  await submit()
  expect(save.mock.calls[0]?.[0]).toMatchObject({
    draft: { code: 'BETA', value: 25_000, note: '' },
    record: null,
  })
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
})

it('changed record -> only the changed fields, with the record read', async () => {
  await show(stored)
  expect(texts()).toEqual(['ALFA', '2', 'old'])
  type('value', '3')
  await submit()
  expect(save.mock.calls[0]?.[0]).toMatchObject({ changes: { value: 30_000 }, record: stored })
  expect(save.mock.calls[0]?.[0].changes).not.toHaveProperty('code')
})

it('unchanged record -> closes without a command', async () => {
  await show(stored)
  await submit()
  expect(save).not.toHaveBeenCalled()
  expect(onClose).toHaveBeenCalledOnce()
})

it('double submit -> one command', async () => {
  let answer: (promo: Promo) => void = () => {}
  save.mockImplementation(() => new Promise((resolve) => (answer = resolve)))
  await show(stored)
  type('code', 'BETA')
  await submit()
  await submit()
  await act(async () => answer({ ...stored, code: 'BETA', version: 4 }))
  expect(save).toHaveBeenCalledOnce()
  expect(onSaved).toHaveBeenCalledOnce()
})

it('field refused by the server -> focused, with its error until it changes; texts stay', async () => {
  save.mockRejectedValueOnce(
    new ApiError('invalid_input', 400, { fields: [{ field: 'code', error: 'taken' }] }),
  )
  await show(stored)
  type('code', 'BETA')
  type('note', 'new')
  input('note').focus()
  await submit()
  expect(screen.getByText('error.field_taken')).toBeTruthy()
  expect(document.activeElement).toBe(input('code'))
  expect(texts()).toEqual(['BETA', '2', 'new'])
  fireEvent.blur(input('code'))
  expect(screen.getByText('error.field_taken')).toBeTruthy()
  type('code', 'GAMMA')
  expect(screen.queryByText('error.field_taken')).toBeNull()
  await submit()
  expect(save).toHaveBeenCalledTimes(2)
})

it('lost connection -> texts stay, the retry has the same idempotency key', async () => {
  save.mockRejectedValueOnce(new ApiError('Fetch Call Error', 0))
  await show(stored)
  type('code', 'BETA')
  await submit()
  expect(screen.getByRole('alert').textContent).toContain('error.')
  expect(texts()).toEqual(['BETA', '2', 'old'])
  await submit()
  const keys = save.mock.calls.map(([{ options }]) => options.context.idempotencyKey)
  expect(keys[0]).toBeTruthy()
  expect(keys[1]).toBe(keys[0])
})

it('conflict on other fields -> both changes are saved without a question', async () => {
  const theirs = { ...stored, note: 'theirs', version: 4 }
  save.mockRejectedValueOnce(conflict(theirs))
  await show(stored)
  type('code', 'BETA')
  await submit()
  expect(save.mock.calls[1]?.[0]).toMatchObject({
    draft: { code: 'BETA', note: 'theirs' },
    record: theirs,
  })
  expect(save.mock.calls[1]?.[0].changes).toEqual({ code: 'BETA' })
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
})

it('conflict on the same field -> names the person, lists only that field, keeps mine', async () => {
  const theirs = { ...stored, code: 'THEIRS', note: 'theirs', version: 4 }
  save.mockRejectedValueOnce(conflict(theirs))
  await show(stored)
  type('code', 'MINE')
  type('value', '3')
  await submit()
  expect(screen.getByRole('alert').textContent).toMatch(/^\W*Ana Pérez\W* changed the same fields/)
  const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.textContent)
  expect(rows).toEqual(['codeMINETHEIRS'])
  await act(async () => fireEvent.click(screen.getByText('table.keep_mine')))
  expect(save.mock.calls[1]?.[0]).toMatchObject({ record: theirs })
  expect(save.mock.calls[1]?.[0].changes).toEqual({ code: 'MINE', value: 30_000 })
})

it('conflict on the same field, theirs taken -> my other fields stay typed, nothing sent', async () => {
  const theirs = { ...stored, code: 'THEIRS', note: 'theirs', version: 4 }
  save.mockRejectedValueOnce(conflict(theirs))
  await show(stored)
  type('code', 'MINE')
  type('value', '3')
  await submit()
  await act(async () => fireEvent.click(screen.getByText('table.take_theirs')))
  expect(texts()).toEqual(['THEIRS', '3', 'theirs'])
  expect(save).toHaveBeenCalledOnce()
  await submit()
  expect(save.mock.calls[1]?.[0].changes).toEqual({ value: 30_000 })
})

it('closing with typed text -> asks; leaving closes, staying keeps it', async () => {
  await show(stored)
  type('code', 'BETA')
  const close = () => fireEvent.click(screen.getByLabelText('common.close'))
  close()
  expect(onClose).not.toHaveBeenCalled()
  await expect.poll(() => document.activeElement?.textContent).toBe('form.stay')
  fireEvent.click(screen.getByText('form.stay'))
  expect(texts()[0]).toBe('BETA')
  close()
  fireEvent.click(screen.getByText('form.leave'))
  expect(onClose).toHaveBeenCalledOnce()
})

it('closing without changes -> closes', async () => {
  await show(stored)
  type('code', 'BETA')
  type('code', 'ALFA')
  fireEvent.click(screen.getByLabelText('common.close'))
  expect(onClose).toHaveBeenCalledOnce()
})

it('offline -> says that it waits; back online -> saved once', async () => {
  await show(stored)
  type('note', 'new')
  act(() => onlineManager.setOnline(false))
  await submit()
  expect(screen.getByRole('status').textContent).toBe('common.offline_save')
  await submit()
  expect(save).not.toHaveBeenCalled()
  act(() => onlineManager.setOnline(true))
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(save.mock.calls.map(([{ changes }]) => changes)).toEqual([{ note: 'new' }])
  expect(screen.queryByText('common.offline_save')).toBeNull()
})
