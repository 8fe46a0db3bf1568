import { useEffect } from 'react'
import { useSettings } from '../lib/settings.ts'

/** Names the page: "<title> · <app name>", or the app's name alone. */
export function usePageTitle(title?: string): void {
  const { appName } = useSettings()
  useEffect(() => {
    document.title = title ? `${title} · ${appName}` : appName
  }, [title, appName])
}
