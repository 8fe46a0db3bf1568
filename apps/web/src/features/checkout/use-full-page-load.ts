import { useEffect } from 'react'

/**
 * The checkout page alone may reach its provider: the permission came with the document. A page that was reached without
 * loading one is loaded now. True when it has its own document.
 */
export function useOwnDocument(isNeeded: boolean): boolean {
  const isOwn = loadedPath() === location.pathname
  useEffect(() => {
    if (isNeeded && !isOwn) location.reload()
  }, [isNeeded, isOwn])
  return isOwn
}

/** A provider's script goes with the document: the page that follows by a link of ours gets one of its own. */
export function useLeaveDocument(): void {
  useEffect(() => {
    const path = location.pathname
    return () => {
      if (location.pathname !== path) location.reload()
    }
  }, [])
}

/** The path that the document was loaded for. */
function loadedPath(): string | null {
  const [page] = performance.getEntriesByType('navigation')
  return page ? new URL(page.name).pathname : location.pathname
}
