import type { AdminLanguage } from '@hansom/contract/languages'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { orpc } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useSettings } from '../../lib/settings.ts'

const options = orpc.languages.manage.queryOptions()

/** All languages with how far they are; read anew whenever any of them changes. */
export function useLanguages() {
  const { languagesVersion } = useSettings()
  const query = useQuery(options)
  const { refetch } = query
  // The first look is the query's own.
  const seen = useRef(languagesVersion)
  useEffect(() => {
    if (seen.current === languagesVersion) return
    seen.current = languagesVersion
    void refetch()
  }, [languagesVersion, refetch])
  return query
}

/** Puts what a command answered into the list. */
export function storeLanguages(languages: AdminLanguage[]): void {
  queryClient.setQueryData(options.queryKey, languages)
}

/** Puts one language into the list, in the place of `before` where that was another one's code. */
export function storeLanguage(language: AdminLanguage, before = language.langLocale): void {
  const list = queryClient.getQueryData(options.queryKey) ?? []
  const isKnown = list.some(({ langLocale }) => langLocale === before)
  storeLanguages(
    isKnown ? list.map((one) => (one.langLocale === before ? language : one)) : [...list, language],
  )
}
