import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const skipped = ['node_modules', 'dist', 'data', '.git']

function documentsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.includes(entry.name) ? [] : documentsIn(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

const documents = documentsIn('.')
const textOf = (file: string) => readFileSync(join(root, file), 'utf8').replace(/^```[^]*?^```/gm, '')

/** The anchors of a document's headings, as GitHub derives them. */
const anchorsOf = (file: string) =>
  [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

function brokenLinksOf(document: string): string[] {
  const links = [...textOf(document).matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)]
  return links.flatMap(([link, text = '', target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [path = '', anchor] = target.split('#', 2)
    const file = path === '' ? document : join(dirname(document), path)
    if (!existsSync(join(root, file))) return [link]
    if (file.endsWith('.md')) return anchor === undefined || anchorsOf(file).includes(anchor) ? [] : [link]
    const [, symbol] = /^`(\w+)`$/.exec(text) ?? []
    return symbol === undefined || new RegExp(`\\b${symbol}\\b`).test(textOf(file)) ? [] : [link]
  })
}

describe('links', () => {
  test('the documents are found', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'docs/glossary.md']))
  })

  test.each(documents)('%s: relative links -> files, headings and symbols that exist', (document) => {
    expect(brokenLinksOf(document)).toEqual([])
  })
})
