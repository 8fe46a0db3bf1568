import {
  Document,
  type DocumentProps,
  Page,
  Rect,
  renderToBuffer,
  Svg,
  Text,
  View,
} from '@react-pdf/renderer'
import { createElement as h, type ReactElement } from 'react'
import { code128Bars } from './code-128.ts'
import { fontFamily, printable } from './sheet.ts'

/** Parcel labels of A6, four on a page of A4; all texts are in the reader's language. */
export interface Labels {
  direction: 'ltr' | 'rtl'
  /** BCP 47. */
  language: string
  title: string
  labels: readonly Label[]
}

export interface Label {
  /** Such as the stop's number and the number of stops, and the booking code. */
  heading: string
  number: string
  person: string
  phone: string
  address: string
  instructions: string
  /** The sender. */
  from: string
  /** Text of the barcode: printable ASCII. */
  code: string
}

/** A4 in points. Labels are a little lower than half of it, so that rounding never moves the second row to a new page. */
const page = { width: 595.28, height: 841.89 }
const labelHeight = Math.floor(page.height / 2)
const perPage = 4
const padding = 22
/** Modules on each side of a barcode that stay empty (ISO/IEC 15417, 4.4). */
const quiet = 10
const barHeight = 62

/** The barcode as wide as the label: 15 characters have bars of 0.4 mm. */
function barcode(text: string): ReactElement {
  const { bars, width } = code128Bars(text)
  const modules = width + 2 * quiet
  return h(
    Svg,
    {
      viewBox: `0 0 ${modules} ${barHeight}`,
      preserveAspectRatio: 'none',
      width: page.width / 2 - 2 * padding,
      height: barHeight,
    },
    ...bars.map(({ at, width: one }) =>
      h(Rect, { key: at, x: quiet + at, y: 0, width: one, height: barHeight, fill: '#000000' }),
    ),
  )
}

/** The direction of a text's first letter (rule P2 of Unicode Standard Annex 9); null for a text without letters. */
function directionOf(value: string): 'ltr' | 'rtl' | null {
  const letter = /\p{L}/u.exec(value)?.[0]
  if (letter === undefined) return null
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter)
    ? 'rtl'
    : 'ltr'
}

function documentOf({ direction, language, title, labels }: Labels): ReactElement<DocumentProps> {
  const isRtl = direction === 'rtl'
  const text = (value: string, style: object, maxLines: number) =>
    value === ''
      ? null
      : h(
          Text,
          // A text that does not fit ends with an ellipsis.
          {
            style: {
              direction: directionOf(value) ?? direction,
              textAlign: isRtl ? 'right' : 'left',
              maxLines,
              textOverflow: 'ellipsis',
              ...style,
            },
          },
          printable(value),
        )
  /** Phone numbers and codes read from left to right. */
  const ltr = (value: string, style: object) =>
    h(Text, { style: { direction: 'ltr', textAlign: isRtl ? 'right' : 'left', ...style } }, printable(value))
  const label = (one: Label) =>
    h(
      View,
      {
        style: {
          width: page.width / 2,
          height: labelHeight,
          padding,
          border: '0.5pt dashed #b8bcc4',
          justifyContent: 'space-between',
        },
        wrap: false,
      },
      h(
        View,
        { style: { gap: 8 } },
        h(
          View,
          {
            style: {
              flexDirection: isRtl ? 'row-reverse' : 'row',
              justifyContent: 'space-between',
              paddingBottom: 8,
              borderBottom: '1pt solid #000000',
            },
          },
          text(one.heading, { fontSize: 13, fontWeight: 600 }, 1),
          ltr(one.number, { fontSize: 13, fontWeight: 600 }),
        ),
        text(one.person, { fontSize: 22, fontWeight: 600, lineHeight: 1.2, marginTop: 4 }, 2),
        one.phone === '' ? null : ltr(one.phone, { fontSize: 14 }),
        text(one.address, { fontSize: 16, lineHeight: 1.25 }, 4),
        text(one.instructions, { fontSize: 11, lineHeight: 1.3, color: '#3b3f46' }, 4),
      ),
      h(
        View,
        { style: { gap: 4 } },
        text(one.from, { fontSize: 10, color: '#3b3f46' }, 2),
        barcode(one.code),
        h(Text, { style: { fontSize: 10, textAlign: 'center', direction: 'ltr' } }, one.code),
      ),
    )
  const pages = Array.from({ length: Math.ceil(labels.length / perPage) }, (_, index) =>
    labels.slice(index * perPage, (index + 1) * perPage),
  )
  return h(
    Document,
    { title, language },
    ...pages.map((some) =>
      h(
        Page,
        {
          size: 'A4',
          style: {
            flexDirection: isRtl ? 'row-reverse' : 'row',
            flexWrap: 'wrap',
            fontFamily: fontFamily(labels),
          },
        },
        ...some.map(label),
      ),
    ),
  )
}

/** The labels as a PDF. Blocks the event loop: call it through `sheet-writer`. */
export function renderLabels(labels: Labels): Promise<Buffer> {
  return renderToBuffer(documentOf(labels))
}
