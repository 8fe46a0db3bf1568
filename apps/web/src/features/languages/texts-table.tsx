import { blockingError, checkTexts, longestText } from '@hansom/domain/languages/check-texts'
import { useMemo } from 'react'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { TableColumn } from '../../ui/table/table-types.ts'
import classes from './languages.module.css'
import {
  fromOneLine,
  matchingRows,
  onOneLine,
  pageOf,
  type TextQuery,
  type TextRow,
  textsTableSpec,
} from './text-rows.ts'
import type { TextsStore } from './texts-store.ts'

/** The table's name in the cache. */
export function tableName(locale: string): string {
  return `language-texts-${locale}`
}

/** The texts of a language next to English, edited in place. */
export function TextsTable({ store }: { store: TextsStore }) {
  const { t } = useText()
  const { langLocale: locale, direction } = store.texts
  const columns = useMemo<TableColumn<TextRow>[]>(
    () => [
      {
        id: 'key',
        header: 'language.key',
        cell: (row) => (
          <bdi dir="ltr" className={classes.key}>
            {row.key}
          </bdi>
        ),
        sort: 'key',
        width: 232,
        phone: 'subtitle',
      },
      {
        id: 'english',
        header: 'language.english',
        cell: (row) => (
          <span lang="en" dir="ltr" className={classes.words}>
            {row.english}
          </span>
        ),
        sort: 'english',
        width: 320,
      },
      {
        id: 'text',
        header: 'language.text_plain',
        cell: (row) => (
          <span
            lang={locale}
            dir={direction}
            className={classes.words}
            data-missing={row.state === 'missing' || undefined}
          >
            {row.text || row.english}
          </span>
        ),
        width: 350,
        hideable: false,
        phone: 'title',
        edit: {
          kind: 'text',
          value: (row) => onOneLine(row.text),
          changes: (value) => ({ text: fromOneLine(String(value ?? '')) }),
          validate: (value, row) => {
            const text = fromOneLine(String(value ?? ''))
            const problems = checkTexts(locale, { [row.key]: text }, store.texts.english)
            return problems.map(blockingError).find((error) => error !== null) ?? null
          },
          confirm: (value, row) => {
            const text = fromOneLine(String(value ?? ''))
            const missing = checkTexts(locale, { [row.key]: text }, store.texts.english).find(
              ({ problem }) => problem === 'missing_placeholder',
            )
            return missing && 'names' in missing
              ? {
                  key: 'language.confirm_missing',
                  params: { names: isolated(missing.names.map((name) => `{{${name}}}`).join(', ')) },
                }
              : null
          },
          maxLength: longestText,
        },
      },
      {
        id: 'state',
        header: 'language.state',
        cell: (row) => (
          <span className={classes.state} data-state={row.state}>
            {t(`language.state_${row.state}`)}
          </span>
        ),
        width: 136,
        phone: 'badge',
      },
    ],
    [locale, direction, store, t],
  )
  return (
    <>
      <p className={`${classes.hint} ${classes.tableHint}`}>{t('language.table_hint')}</p>
      <DataTable
        name={tableName(locale)}
        title="language.text_plain"
        heading={false}
        spec={textsTableSpec}
        columns={columns}
        filters={{
          state: {
            label: 'language.state',
            words: { missing: 'language.state_missing', changed: 'language.state_changed' },
          },
        }}
        page={async (query) => pageOf(store.rows, query as TextQuery)}
        count={async (query) => ({ count: matchingRows(store.rows, query as TextQuery).length, more: false })}
        rowId={(row) => row.key}
        rowName={(row) => row.key}
        save={(row, changes) => store.save(row.key, changes.text ?? row.text)}
        empty={{ title: 'language.none' }}
      />
    </>
  )
}
