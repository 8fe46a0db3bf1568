import type { AdminLanguage } from '@hansom/contract/languages'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { orpc } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useSettings } from '../../lib/settings.ts'

const options = orpc.languages.manage.queryOptions()

/** All languages with their progress; reloaded when any of them changes. */
export function useLanguages() {
  const { languagesVersion } = useSettings()
  const query = useQuery(options)
  const { refetch } = query
  // The query itself does the first load.
  const seen = useRef(languagesVersion)
  useEffect(() => {
    if (seen.current === languagesVersion) return
    seen.current = languagesVersion
    void refetch()
  }, [languagesVersion, refetch])
  return query
}

/** Stores the list that a command returned. */
export function storeLanguages(languages: AdminLanguage[]): void {
  queryClient.setQueryData(options.queryKey, languages)
}

/** Stores one language in the list; `before` is its previous locale if it was renamed. */
export function storeLanguage(language: AdminLanguage, before = language.langLocale): void {
  const list = queryClient.getQueryData(options.queryKey) ?? []
  const isKnown = list.some(({ langLocale }) => langLocale === before)
  storeLanguages(
    isKnown ? list.map((one) => (one.langLocale === before ? language : one)) : [...list, language],
  )
}
