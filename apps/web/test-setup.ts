import { afterEach, vi } from 'vitest'

// Files share a worker and its window: each begins with fresh modules and empty storage, and no test leaves its page behind.
vi.resetModules()
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')
afterEach(() => {
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})
