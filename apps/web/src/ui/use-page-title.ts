import { useEffect } from 'react'
import { useSettings } from '../lib/settings.ts'

let pageTitle = ''
let urgentTitle: string | null = null

const show = () => {
  document.title = urgentTitle ?? pageTitle
}

const withApp = (title: string | null | undefined, appName: string) =>
  title ? `${title} · ${appName}` : appName

/** Sets the document title: "<title> · <app name>", or just the app name. */
export function usePageTitle(title?: string): void {
  const { appName } = useSettings()
  useEffect(() => {
    pageTitle = withApp(title, appName)
    show()
  }, [title, appName])
}

/** Replaces the title of every page while it is not null, so that it is seen in another tab. */
export function useUrgentTitle(title: string | null): void {
  const { appName } = useSettings()
  useEffect(() => {
    if (title === null) return
    urgentTitle = withApp(title, appName)
    show()
    return () => {
      urgentTitle = null
      show()
    }
  }, [title, appName])
}
