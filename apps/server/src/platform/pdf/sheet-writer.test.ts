import { afterAll, describe, expect, test } from 'vitest'
import { fontFamily, printable, type Sheet } from './sheet.ts'
import { createSheetWriter } from './sheet-writer.ts'

const sheet: Sheet = {
  direction: 'rtl',
  language: 'ar',
  title: 'إيصال',
  issuer: ['Hansom', 'Avenida 18 de Julio 1234'],
  facts: [{ label: 'الرقم', value: 'H-2026-000001' }],
  tables: [{ title: 'الأجرة', rows: [{ label: 'الإجمالي', value: '$ 110.00', strong: true }] }],
  notes: ['شكرًا'],
}

describe('PDF files', () => {
  const writer = createSheetWriter({ maxWaiting: 2 })
  afterAll(() => writer.close())

  test('three at once -> two are written, the third is refused; later ones are written', async () => {
    const results = await Promise.allSettled([writer.write(sheet), writer.write(sheet), writer.write(sheet)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(results[2]).toMatchObject({ reason: { key: 'too_many_requests' } })
    const pdf = await writer.write(sheet)
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.subarray(-6).toString()).toContain('%%EOF')
  })

  test('process was killed -> the next file is written by a new one', async () => {
    writer.close()
    expect((await writer.write(sheet)).length).toBeGreaterThan(1000)
  })

  test('receipt behind two files of labels -> written after the first', async () => {
    const label = {
      heading: '',
      number: '',
      person: 'Ada',
      phone: '',
      address: '',
      instructions: '',
      from: '',
    }
    const labels = {
      direction: 'ltr' as const,
      language: 'en',
      title: '',
      labels: [{ ...label, code: 'A-1' }],
    }
    const fair = createSheetWriter()
    const order: string[] = []
    const write = async (name: string, document: Parameters<typeof fair.write>[0]) => {
      await fair.write(document)
      order.push(name)
    }
    await Promise.all([write('labels 1', labels), write('labels 2', labels), write('receipt', sheet)])
    fair.close()
    expect(order).toEqual(['labels 1', 'receipt', 'labels 2'])
  })

  test('too slow -> an error, and the next file is written', async () => {
    const hasty = createSheetWriter({ timeLimitMs: 1 })
    await expect(hasty.write(sheet)).rejects.toThrow('not written in time')
    hasty.close()
  })
})

test('characters: in no font -> a question mark; isolates -> left-to-right marks', () => {
  expect(printable('Café Łódź हिन्दी ด 🚕 \u2066$ 5\u2069 أجرة')).toBe(
    'Café Łódź हिन्दी ? ? \u200e$ 5\u200e أجرة',
  )
})

test('Chinese: a line may end after each character, but not before closing punctuation', () => {
  expect(printable('（车费）：5 元，谢谢')).toBe('（车\ufeff费）：\ufeff5 元，\ufeff谢\ufeff谢')
})

test('fonts: the Chinese font only for documents with Chinese text', () => {
  expect(fontFamily(sheet).join()).not.toContain('chinese')
  expect(fontFamily({ ...sheet, notes: ['谢谢'] }).at(-1)).toContain('chinese')
})
