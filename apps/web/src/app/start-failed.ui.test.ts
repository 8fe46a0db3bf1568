import { afterEach, expect, it } from 'vitest'
import { showStartFailed } from './start-failed.ts'

afterEach(() => document.body.replaceChildren())

const texts = { 'common.start_failed': 'Nicht geladen.', 'common.load_again': 'Noch einmal' }

it('app does not start, texts are embedded -> message below the prerendered page', () => {
  document.body.innerHTML = '<main id="root"></main><script type="application/json" id="boot"></script>'
  const boot = document.getElementById('boot') as HTMLElement
  boot.textContent = JSON.stringify({ pack: { keyValuePairs: texts } })
  showStartFailed()
  const note = document.querySelector('[role="alert"]')
  expect(note?.textContent).toBe('Nicht geladen. Noch einmal')
  expect(note?.querySelector('a')?.href).toBe(document.location.href)
  expect(document.getElementById('root')?.isConnected).toBe(true)
})

it.each([
  ['missing', ''],
  ['truncated', '<script type="application/json" id="boot">{"pack":</script>'],
])('app does not start, boot data is %s -> page stays unchanged', (_, boot) => {
  document.body.innerHTML = `<main id="root"></main>${boot}`
  showStartFailed()
  expect(document.querySelector('[role="alert"]')).toBeNull()
})
