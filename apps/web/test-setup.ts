import { configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// On a busy machine, code that loads on demand takes longer than the default of a second.
configure({ asyncUtilTimeout: 15_000 })

// Test files share a worker and its window, so each starts with fresh modules and empty storage and removes its page
// afterwards.
vi.resetModules()
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')
// A modal opens immediately, as in a browser that has loaded its code.
await (await import('./src/ui/modal.tsx')).loadModal()
afterEach(() => {
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})
