import { expect, it } from 'vitest'
import { splitText } from './split-text.ts'

const at = (text: string) => splitText(text, 'https://rides.example')

it('finds links, and leaves the end of the sentence outside', () => {
  expect(at('Open https://rides.example/verify-email?token=a-b_c. Thanks')).toEqual([
    { kind: 'text', text: 'Open ' },
    {
      kind: 'link',
      text: 'https://rides.example/verify-email?token=a-b_c',
      href: '/verify-email?token=a-b_c',
    },
    { kind: 'text', text: '. Thanks' },
  ])
})

it('leads away only where the link does', () => {
  expect(at('https://rides.example.evil/x')).toEqual([
    { kind: 'link', text: 'https://rides.example.evil/x', href: 'https://rides.example.evil/x' },
  ])
})

it('finds codes of five and six digits, not other numbers', () => {
  expect(at('Code 123456, valid 5 minutes; call 099123456').filter(({ kind }) => kind === 'code')).toEqual([
    { kind: 'code', text: '123456' },
  ])
})

it('leaves digits of a link in the link', () => {
  expect(at('https://rides.example/reset-password?token=123456').map(({ kind }) => kind)).toEqual(['link'])
})
