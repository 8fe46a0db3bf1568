import { useEffect } from 'react'
import { useSettings } from '../lib/settings.ts'

/** Sets the document title: "<title> · <app name>", or just the app name. */
export function usePageTitle(title?: string): void {
  const { appName } = useSettings()
  useEffect(() => {
    document.title = title ? `${title} · ${appName}` : appName
  }, [title, appName])
}
