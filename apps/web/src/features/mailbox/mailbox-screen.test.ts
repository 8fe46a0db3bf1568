import { expect, it } from 'vitest'
import { splitText } from './mailbox-screen.tsx'

const at = (text: string) => splitText(text, 'https://rides.example')

it('splitText: link before a full stop -> link without the full stop', () => {
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

it('splitText: another origin with this one as prefix -> absolute link', () => {
  expect(at('https://rides.example.evil/x')).toEqual([
    { kind: 'link', text: 'https://rides.example.evil/x', href: 'https://rides.example.evil/x' },
  ])
})

it('splitText: numbers -> only those of five or six digits are codes', () => {
  expect(at('Code 123456, valid 5 minutes; call 099123456').filter(({ kind }) => kind === 'code')).toEqual([
    { kind: 'code', text: '123456' },
  ])
})

it('splitText: number of a receipt -> no code', () => {
  expect(at('Number: 2026-000007')).toEqual([{ kind: 'text', text: 'Number: 2026-000007' }])
})

it('splitText: digits in a link -> no code', () => {
  expect(at('https://rides.example/reset-password?token=123456').map(({ kind }) => kind)).toEqual(['link'])
})
