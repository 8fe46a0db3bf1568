import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { type Label, renderLabels } from './labels.ts'

const wasm = readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } })

const label = (n: number): Label => ({
  heading: `Stop ${n} of 5`,
  number: '2AFTQ6',
  person: n % 2 ? 'Ada Pérez' : 'ليلى حسن',
  phone: '099 111 222',
  address: n % 2 ? 'Avenida General Rivera 2000, Montevideo' : 'شارع ريفيرا (Rivera 2000)، مونتيفيديو',
  instructions: 'Ring twice. '.repeat(25),
  from: 'From: Ana',
  code: `2AFTQ6-${n}`,
})

/** The drawing commands of each page. */
function pagesOf(pdf: Buffer): string[] {
  const streams = pdf.toString('latin1').matchAll(/stream\r?\n([^]*?)\r?\nendstream/g)
  return [...streams].flatMap(([, data = '']) => {
    try {
      const text = inflateSync(Buffer.from(data, 'latin1')).toString('latin1')
      return text.includes('DeviceRGB cs') ? [text] : []
    } catch {
      return []
    }
  })
}

/** The barcodes of a page as pictures: the bars that it draws, at four pixels a module. */
function barcodesOf(page: string): ImageData[] {
  const bars = [...page.matchAll(/^(\d+) 0 m\n(\d+) 0 l\n\2 62 l\n\1 62 l\nh\nf$/gm)]
  const codes: [number, number][][] = []
  for (const [, from, to] of bars) {
    const bar: [number, number] = [Number(from), Number(to)]
    // Each barcode begins after its quiet zone.
    if (bar[0] === 10) codes.push([bar])
    else codes.at(-1)?.push(bar)
  }
  return codes.map((code) => {
    const [width, height] = [((code.at(-1)?.[1] ?? 0) + 10) * 4, 40]
    const data = new Uint8ClampedArray(width * height * 4).fill(255)
    for (let y = 0; y < height; y++)
      for (const [from, to] of code)
        for (let x = from * 4; x < to * 4; x++) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    return { width, height, data, colorSpace: 'srgb' } as ImageData
  })
}

test.each(['ltr', 'rtl'] as const)(
  'labels, %s: five of them -> four on the first page, and every barcode reads as its code',
  async (direction) => {
    const labels = [1, 2, 3, 4, 5].map(label)
    const pages = pagesOf(await renderLabels({ direction, language: 'en', title: 'Labels', labels }))
    const read = await Promise.all(
      pages.map((page) =>
        Promise.all(barcodesOf(page).map(async (code) => (await readBarcodes(code)).map(({ text }) => text))),
      ),
    )
    expect(read).toEqual([labels.slice(0, 4).map(({ code }) => [code]), [[labels[4]?.code]]])
  },
)
