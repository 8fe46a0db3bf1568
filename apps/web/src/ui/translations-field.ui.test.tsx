import type { Language } from '@hansom/contract/languages'
import type { PublicSettings } from '@hansom/contract/settings'
import texts from '@hansom/domain/languages/packs/en/table.json'
import type { Translations } from '@hansom/domain/languages/translations'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startLanguage } from '../lib/i18n.ts'
import { queryClient } from '../lib/query-client.ts'
import { storeSettings } from '../lib/settings.ts'
import { RecordDialog } from './record-dialog.tsx'
import { textField } from './record-field.tsx'
import type { RecordChange } from './record-form.tsx'
import { translationsField } from './translations-field.tsx'

interface Fields {
  label: string
  translations: Translations<'label'>
}
interface Reason extends Fields {
  id: string
  version: number
}

const language = (langLocale: string, langName: string, isDefault = false): Language => ({
  langName,
  langLocale,
  dateLocale: langLocale,
  default: isDefault,
  direction: langLocale === 'ar' ? 'rtl' : 'ltr',
})
const english = language('en', 'English', true)
const arabic = language('ar', 'العربية')
const reason: Reason = { id: 'r1', version: 3, label: 'Too late', translations: { es: { label: 'Tarde' } } }
const save = vi.fn<(change: RecordChange<Fields, Reason>) => Promise<Reason>>()

beforeEach(() => {
  queryClient.clear()
  storeSettings({ ...defaultSettings, version: 1 } as unknown as PublicSettings)
  save.mockReset().mockImplementation(async ({ draft }) => ({ ...reason, ...draft }))
})
afterEach(cleanup)

async function show(languages: Language[], record: Reason = reason): Promise<void> {
  const keyValuePairs = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [`table.${key}`, text as string]),
  )
  startLanguage({ ...english, keyValuePairs }, languages)
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <RecordDialog<Fields, Reason>
          title="Edit"
          action="Save"
          command="reasons"
          record={record}
          blank={{ label: '', translations: {} }}
          fields={[
            textField('label', 'Reason'),
            translationsField<'label'>([{ id: 'label', header: 'table.none', maxLength: 120 }]),
          ]}
          check={() => []}
          save={save}
          onClose={() => undefined}
          onSaved={() => undefined}
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
  await screen.findByLabelText('Reason')
}
const submit = () => act(async () => fireEvent.submit(document.querySelector('form') as HTMLFormElement))
const inputs = () => [...document.querySelectorAll<HTMLInputElement>('input[lang]')]

it('translations: one language -> no section', async () => {
  await show([english], { ...reason, translations: {} })
  expect(screen.queryByText(texts.translations)).toBeNull()
})

it('translations: another language -> its text is sent, the others stay', async () => {
  await show([english, arabic])
  const [field] = inputs()
  expect([inputs().length, field?.lang, field?.placeholder]).toEqual([1, 'ar', 'Too late'])
  fireEvent.change(field as HTMLInputElement, { target: { value: ' متأخر ' } })
  await submit()
  expect(save.mock.calls[0]?.[0].changes).toEqual({
    translations: { es: { label: 'Tarde' }, ar: { label: 'متأخر' } },
  })
})

it('translations: text emptied -> removed, own text is shown again', async () => {
  await show([english, arabic], { ...reason, translations: { ar: { label: 'متأخر' } } })
  fireEvent.change(inputs()[0] as HTMLInputElement, { target: { value: ' ' } })
  await submit()
  expect(save.mock.calls[0]?.[0].changes).toEqual({ translations: {} })
})

it('translations: language became the default later -> its text stays editable', async () => {
  await show(
    [
      { ...english, default: false },
      { ...arabic, default: true },
    ],
    {
      ...reason,
      translations: { ar: { label: 'متأخر' } },
    },
  )
  expect(inputs().map(({ lang }) => lang)).toEqual(['en', 'ar'])
})
