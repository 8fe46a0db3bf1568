import { expect, it } from 'vitest'
import { errorStatus } from '../error-keys.ts'
import arErrors from '../languages/packs/ar/error.json' with { type: 'json' }
import ar from '../languages/packs/ar/notify.json' with { type: 'json' }
import enErrors from '../languages/packs/en/error.json' with { type: 'json' }
import en from '../languages/packs/en/notify.json' with { type: 'json' }

it('error keys: every key -> has a text', () => {
  for (const pack of [enErrors, arErrors]) {
    const missing = Object.keys(errorStatus).filter((key) => !(key in pack))
    expect(missing).toEqual([])
  }
})

it('notices: every language -> uses the same values', () => {
  const valuesOf = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort()
  for (const [key, text] of Object.entries(en)) {
    expect([key, valuesOf(ar[key as keyof typeof ar])]).toEqual([key, valuesOf(text)])
  }
})
