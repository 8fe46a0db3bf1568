import { useSearch } from '@tanstack/react-router'
import { LanguageEditor } from './language-editor.tsx'
import { LanguageList } from './language-list.tsx'

/** The languages of the service; with `?language=` the texts of one. */
export function LanguagesScreen() {
  const { language } = useSearch({ from: '/app/languagesetting' })
  return language ? <LanguageEditor key={language} locale={language} /> : <LanguageList />
}
