import type { LanguageTexts } from '@hansom/contract/languages'
import { completeness } from '@hansom/domain/languages/edit-language'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { loadFont, useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { reloadTable, rowsKey } from '../../ui/table/table-updates.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { JsonEditor } from './json-editor.tsx'
import classes from './languages.module.css'
import { TextsStore } from './texts-store.ts'
import { TextsTable, tableName } from './texts-table.tsx'
import { storeLanguage, useLanguages } from './use-languages.ts'

/** The texts of one language, as a table or as JSON. */
export function LanguageEditor({ locale }: { locale: string }) {
  const { t } = useText()
  useEffect(() => loadFont(locale), [locale])
  const query = useQuery({
    ...orpc.languages.texts.queryOptions({ input: { locale } }),
    // The edited texts are newer than any cache.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <div className={pageFrame}>
      <Link to="/languagesetting" className={classes.back}>
        <IconArrowLeft size={18} stroke={1.8} aria-hidden />
        {t('language.back')}
      </Link>
      {query.isPending ? <LoadingState rows={6} /> : null}
      {query.isError && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data ? (
        <Editor key={query.dataUpdatedAt} texts={query.data} reload={() => void query.refetch()} />
      ) : null}
    </div>
  )
}

function Editor({ texts, reload }: { texts: LanguageTexts; reload: () => void }) {
  const { t } = useText()
  const format = useFormat()
  const { langLocale: locale, langName, direction } = texts
  const [{ as }, changeParams] = useSearchParams()
  const view = as === 'json' ? 'json' : 'table'
  const [, setSaves] = useState(0)
  const [store] = useState(
    () =>
      new TextsStore(
        texts,
        async (version, changes) => {
          const language = await api.languages.saveTexts({ locale, version, texts: changes })
          storeLanguage(language)
          setSaves((count) => count + 1)
          return language
        },
        () => api.languages.texts({ locale }),
      ),
  )
  // The next visit must not show these rows, which are older.
  useEffect(() => () => queryClient.removeQueries({ queryKey: rowsKey(tableName(locale)) }), [locale])
  const now = useLanguages().data?.find((one) => one.langLocale === locale)
  const { keys, translated, version } = store.texts
  const isBehind = now !== undefined && now.version > version
  const show = (next: 'table' | 'json') => changeParams(() => ({ as: next === 'json' ? 'json' : undefined }))
  const reloadTexts = () => {
    void reloadTable(tableName(locale))
    reload()
  }
  return (
    <>
      <PageHead
        title={
          <>
            {t('language.texts_of')} <bdi dir={direction}>{langName}</bdi>
          </>
        }
        lead={t('language.progress', { percent: `${format.number(completeness(translated, keys))}%` })}
      />
      {isBehind ? (
        <Notice tone="plain">
          <span className={classes.behind}>
            {t('language.others')}
            <Button size="small" onClick={reloadTexts}>
              {t('language.show_others')}
            </Button>
          </span>
        </Notice>
      ) : null}
      <div className={classes.tabs}>
        <Tabs
          label={t('language.view')}
          tabs={[
            { id: 'table', label: t('language.as_table') },
            { id: 'json', label: t('language.as_json') },
          ]}
          value={view}
          onChange={show}
        >
          {view === 'table' ? (
            <TextsTable store={store} />
          ) : (
            <JsonEditor store={store} onSaved={reloadTexts} />
          )}
        </Tabs>
      </div>
    </>
  )
}
