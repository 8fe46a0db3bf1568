import { readFileSync } from 'node:fs'
import {
  Document,
  type DocumentProps,
  Font,
  Page,
  renderToBuffer,
  StyleSheet,
  Text,
  View,
} from '@react-pdf/renderer'
import { createElement as h, type ReactElement } from 'react'
import { unpackWoff } from './woff.ts'

/** A document of one or more A4 pages; all texts are in the reader's language. */
export interface Sheet {
  direction: 'ltr' | 'rtl'
  /** BCP 47. */
  language: string
  title: string
  /** The issuer: the name, then lines such as the address. */
  issuer: readonly string[]
  facts: readonly { label: string; value: string }[]
  tables: readonly { title: string; rows: readonly SheetRow[] }[]
  notes: readonly string[]
}

export interface SheetRow {
  label: string
  value: string
  /** A total. */
  strong: boolean
}

const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)
/** In the order in which they are tried for a character. */
const families = [
  ['inter', 'latin'],
  ['inter', 'latin-ext'],
  ['inter', 'cyrillic'],
  ['inter', 'cyrillic-ext'],
  ['inter', 'greek'],
  ['inter', 'vietnamese'],
  ['vazirmatn', 'arabic'],
  ['noto-sans-devanagari', 'devanagari'],
] as const
/** Takes about 100 MB of memory, so only documents that need it load it. */
const chinese = ['noto-sans-sc', 'chinese-simplified'] as const
/** Characters and full-width punctuation. */
const hanText = /[\u2e80-\u9fff\uff00-\uffef]/u
type Family = (typeof families)[number] | typeof chinese
const nameOf = ([font, script]: Family) => `${font} ${script}`

const registered = new Set<string>()

/** Registers a font of the document's process. Fonts stay in memory until the process ends. */
function register(family: Family): string {
  const name = nameOf(family)
  if (registered.has(name)) return name
  const [font, script] = family
  const source = (weight: number) => {
    const file = require.resolve(`@fontsource/${font}/files/${font}-${script}-${weight}-normal.woff`)
    return `data:font/ttf;base64,${unpackWoff(readFileSync(file)).toString('base64')}`
  }
  Font.register({
    family: name,
    fonts: [400, 600].map((fontWeight) => ({ src: source(fontWeight), fontWeight })),
  })
  registered.add(name)
  return name
}

/** Font family names for a document, in the order in which they are tried for a character. */
export function fontFamily(document: object): string[] {
  const all = hanText.test(JSON.stringify(document)) ? [...families, chinese] : families
  return all.map(register)
}

// Names and street names are never split at a hyphen. The layout takes a part of spaces as a line end without hyphen.
Font.registerHyphenationCallback((word) => word.split(/(\ufeff)/))

/** The characters of all fonts, from the packages' lists such as `U+0000-00FF,U+0131`. */
const covered = [...families, chinese].flatMap(([font, script]) => {
  const ranges = require(`@fontsource/${font}/unicode.json`) as Record<string, string>
  // The list of the Chinese font has a row for each of its parts on the web, such as `[4]`.
  const rows = ranges[script] === undefined ? Object.entries(ranges) : [[script, ranges[script]] as const]
  const own = rows.filter(([row]) => row === script || row.startsWith('['))
  return own
    .flatMap(([, list]) => list.split(','))
    .map((range) => {
      const [from = 0, to = from] = range
        .slice(2)
        .split('-')
        .map((code) => Number.parseInt(code, 16))
      return { from, to }
    })
})
const isCovered = (code: number) => covered.some(({ from, to }) => from <= code && code <= to)
const leftToRight = '\u200e'
/** Marks that the layout writes as characters. Isolates of numbers become left-to-right marks, which it understands. */
const isolates = /[\u2066\u2069]/gu
const otherMarks = /[\u200f\u061c\u202a-\u202e\u2067\u2068]/gu

/** Chinese has no spaces: a line may end after each character, but none begins with closing punctuation. */
const lineEnds = /(?<=[\u2e80-\u9fff\uff00-\uffef])(?<![（《「『【])(?![\s、。，．：；！？）》」』】”’]|$)/gu

/**
 * The text with a question mark for each character that is in no font of the document, and with a character of no width
 * where a Chinese line may end.
 */
export function printable(text: string): string {
  return text
    .replace(isolates, leftToRight)
    .replace(otherMarks, '')
    .replace(/./gsu, (char) => (isCovered(char.codePointAt(0) ?? 0) ? char : '?'))
    .replace(lineEnds, '\ufeff')
}

const ink = '#15171b'
const soft = '#5b6068'
const line = '#d9dbe0'
const styles = StyleSheet.create({
  page: { padding: 48, fontSize: 10, lineHeight: 1.45, color: ink },
  issuer: { fontSize: 13, fontWeight: 600, lineHeight: 1.3, marginBottom: 3 },
  title: { fontSize: 20, fontWeight: 600, lineHeight: 1.2 },
  soft: { color: soft },
  heading: { fontSize: 11, fontWeight: 600, marginTop: 22, marginBottom: 4 },
  strong: { fontWeight: 600 },
})

function documentOf(sheet: Sheet): ReactElement<DocumentProps> {
  const isRtl = sheet.direction === 'rtl'
  const row = isRtl ? ('row-reverse' as const) : ('row' as const)
  const aligned = { direction: sheet.direction, textAlign: isRtl ? ('right' as const) : ('left' as const) }
  const text = (value: string, style: object = {}) =>
    h(Text, { style: { ...aligned, ...style } }, printable(value))
  const amount = (value: string, style: object = {}) =>
    h(Text, { style: { direction: 'ltr', textAlign: isRtl ? 'left' : 'right', ...style } }, printable(value))
  const [name = '', ...details] = sheet.issuer
  return h(
    Document,
    { title: sheet.title, language: sheet.language, author: name },
    h(
      Page,
      { size: 'A4', style: { ...styles.page, fontFamily: fontFamily(sheet) } },
      h(
        View,
        { style: { flexDirection: row, justifyContent: 'space-between', gap: 24, marginBottom: 20 } },
        h(
          View,
          { style: { flex: 1 } },
          text(name, styles.issuer),
          ...details.map((detail) => text(detail, styles.soft)),
        ),
        text(sheet.title, styles.title),
      ),
      ...sheet.facts.map(({ label, value }) =>
        h(
          View,
          { style: { flexDirection: row, gap: 12, paddingVertical: 2 } },
          h(View, { style: { width: 120 } }, text(label, styles.soft)),
          h(
            View,
            { style: { flex: 1 } },
            text(/\p{Script=Arabic}/u.test(value) ? value : `${leftToRight}${value}${leftToRight}`),
          ),
        ),
      ),
      ...sheet.tables.map(({ title, rows }) =>
        h(
          View,
          {},
          text(title, styles.heading),
          ...rows.map(({ label, value, strong }) =>
            h(
              View,
              {
                style: {
                  flexDirection: row,
                  justifyContent: 'space-between',
                  gap: 16,
                  paddingVertical: 4,
                  borderTop: `1pt solid ${line}`,
                },
                wrap: false,
              },
              h(View, { style: { flex: 1 } }, text(label, strong ? styles.strong : {})),
              amount(value, strong ? styles.strong : {}),
            ),
          ),
        ),
      ),
      ...sheet.notes.map((note) => text(note, { ...styles.soft, marginTop: 16 })),
    ),
  )
}

/** The sheet as a PDF. Blocks the event loop for tenths of a second: call it through `sheet-writer`. */
export function renderSheet(sheet: Sheet): Promise<Buffer> {
  return renderToBuffer(documentOf(sheet))
}
