import { useEffect } from 'react'

/**
 * The content security policy lets only the checkout document connect to its provider, so a page reached by client-side
 * navigation is loaded once more. True when the page has its own document.
 */
export function useOwnDocument(isNeeded: boolean): boolean {
  const isOwn = loadedPath() === location.pathname
  useEffect(() => {
    if (isNeeded && !isOwn) location.reload()
  }, [isNeeded, isOwn])
  return isOwn
}

/** Loads the next page in full, because a provider's script ends only with its document. */
export function useLeaveDocument(): void {
  useEffect(() => {
    const path = location.pathname
    return () => {
      if (location.pathname !== path) location.reload()
    }
  }, [])
}

/** The path the document was loaded for. */
function loadedPath(): string | null {
  const [page] = performance.getEntriesByType('navigation')
  return page ? new URL(page.name).pathname : location.pathname
}
