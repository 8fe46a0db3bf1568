import { expect, test } from 'vitest'
import { checkBreakpoints } from './check-breakpoints.mjs'

const check = (text: string) => checkBreakpoints(new Map([['a.module.css', text]]))

test.each([
  '(max-width: 640px)',
  '(min-width: 641px)',
  '(max-width: 53.75rem)',
  '(max-height: 520px) and (min-width: 861px)',
])('breakpoint %s -> counted, no problem', (query) => {
  expect(check(`@media ${query} {}`)).toEqual({ queries: 1, problems: [] })
})

test.each(['(max-width: 641px)', '(min-width: 640px)', '(max-width: 62rem)', '(width <= 640px)'])(
  'other width %s -> reported with its file',
  (query) => {
    expect(check(`@media ${query} {}`).problems).toEqual([expect.stringContaining('a.module.css')])
  },
)

test('width that is no query -> ignored', () => {
  expect(check('.a { max-width: 700px }')).toEqual({ queries: 0, problems: [] })
})
