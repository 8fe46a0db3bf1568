import { useEffect } from 'react'

/**
 * Only the checkout document may connect to its provider, by its Content-Security-Policy. A page reached by client-side
 * navigation is therefore loaded once more. True when the page has its own document.
 */
export function useOwnDocument(isNeeded: boolean): boolean {
  const isOwn = loadedPath() === location.pathname
  useEffect(() => {
    if (isNeeded && !isOwn) location.reload()
  }, [isNeeded, isOwn])
  return isOwn
}

/** A provider's script ends with its document: the next page of a link of ours gets its own document. */
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
