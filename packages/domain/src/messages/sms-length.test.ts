import { expect, test } from 'vitest'
import { fitsDefaultAlphabet, smsSegments, writeSms } from './sms-length.ts'

test('fitsDefaultAlphabet -> only texts in the GSM alphabet', () => {
  expect(fitsDefaultAlphabet('Äpfel für 3 €, ¿sí? [no]')).toBe(false)
  expect(fitsDefaultAlphabet('Äpfel für 3 €, ¿no? [no] {à} ~^|\\')).toBe(true)
  expect(fitsDefaultAlphabet('ç')).toBe(false)
  expect(fitsDefaultAlphabet('✓')).toBe(false)
})

test.each([
  ['', 1],
  ['x'.repeat(160), 1],
  ['x'.repeat(161), 2],
  ['x'.repeat(306), 2],
  ['x'.repeat(307), 3],
  // Two characters of the alphabet each.
  ['€'.repeat(80), 1],
  ['€'.repeat(81), 2],
  // Each part has room for 76 of them, and one character is left over.
  ['€'.repeat(152), 2],
  ['€'.repeat(153), 3],
  ['ر'.repeat(70), 1],
  ['ر'.repeat(71), 2],
  ['ر'.repeat(134), 2],
  ['ر'.repeat(135), 3],
  // One emoji is two UTF-16 units.
  ['🚕'.repeat(35), 1],
  ['🚕'.repeat(36), 2],
  ['🚕'.repeat(66), 2],
  ['🚕'.repeat(67), 3],
])('smsSegments: %s -> %i', (text, segments) => {
  expect(smsSegments(text)).toBe(segments)
})

test('writeSms: names and addresses -> the longest one is cut until the text fits', () => {
  const write = ({ sender, drop }: Readonly<Record<string, string>>) => `${'ر'.repeat(90)} ${sender} ${drop}`
  expect(writeSms(write, { sender: 'Ana', drop: 'y'.repeat(60) })).toBe(
    `${'ر'.repeat(90)} Ana ${'y'.repeat(39)}`,
  )
  expect(writeSms(write, { sender: 'Ana', drop: 'Port' })).toBe(`${'ر'.repeat(90)} Ana Port`)
})

test('writeSms: accents that cost a message -> plain letters; a text of one message keeps them', () => {
  const long = `Código: 1… “x” ${'y'.repeat(130)}`
  expect(writeSms(() => long, {})).toBe(`Codigo: 1... "x" ${'y'.repeat(130)}`)
  expect(writeSms(() => `Tu código: 1 ${'y'.repeat(80)}`, {})).toBe(`Tu codigo: 1 ${'y'.repeat(80)}`)
  expect(writeSms(() => 'Código: 1', {})).toBe('Código: 1')
  // Two messages either way: 122 signs, of which 45 count twice in the default alphabet.
  const both = `ó${'y'.repeat(76)}${'€'.repeat(45)}`
  expect(writeSms(() => both, {})).toBe(both)
  // Not in the default alphabet even without its accents.
  expect(writeSms(() => `ó${'ж'.repeat(80)}`, {})).toBe(`ó${'ж'.repeat(80)}`)
})
