import { describe, expect, test } from 'vitest'
import { blocksOf, layoutMail, type MailContent } from './mail-layout.ts'

const labeled = (name: string, value: string) => `${name}\u00a0: ${value}`
const ltr = { language: 'en', direction: 'ltr', operator: 'Rides & Co', labeled } as const
const rtl = { language: 'ar', direction: 'rtl', operator: 'رحلات', labeled } as const
const link = { url: 'https://rides.example/a?b=1&c=2', label: 'Open' }

const content: MailContent = {
  title: 'Your <b>trip</b>',
  blocks: [
    { text: 'Hi Ana,\nall <set>.\n\nSee you.' },
    {
      facts: [
        ['Pickup', 'Main "Street"\n1'],
        ['Drop', '\u2066$1\u2069'],
      ],
    },
    { lines: [{ text: 'Fare', amount: '\u2066$\u00a01,200.00\u2069', strong: true }] },
    { text: 'Follow it:' },
    { button: link.label, url: link.url },
    { link: 'A thing', url: 'https://rides.example/x' },
  ],
  footer: [{ text: 'Rides Ltd' }],
}

describe('layoutMail', () => {
  test('content -> plain text with the same content, without marks', () => {
    expect(layoutMail(content, ltr).text).toBe(
      [
        'Hi Ana,\nall <set>.\n\nSee you.',
        'Pickup\u00a0: Main "Street" 1\nDrop\u00a0: $1',
        'Fare\u00a0: $\u00a01,200.00',
        `Follow it:\n${link.url}`,
        'A thing\nhttps://rides.example/x',
        'Rides Ltd',
      ].join('\n\n'),
    )
  })

  test('texts of users -> escaped, in the title, texts, facts and URLs', () => {
    const { html } = layoutMail(content, ltr)
    expect(html).not.toMatch(/<b>|<set>|"Street"/)
    expect(html).toContain('Your &lt;b&gt;trip&lt;/b&gt;')
    expect(html).toContain('all &lt;set&gt;.')
    expect(html).toContain('Main &quot;Street&quot;')
    expect(html).toContain('href="https://rides.example/a?b=1&amp;c=2"')
    expect(html).toContain('Rides &amp; Co')
  })

  test.each([
    [ltr, '<html lang="en" dir="ltr">'],
    [rtl, '<html lang="ar" dir="rtl">'],
  ])('%o -> language and direction; nothing is loaded, no script', (style, start) => {
    const { html } = layoutMail(content, style)
    expect(html).toContain(start)
    expect(html).not.toMatch(/<script|<img|<link|url\(|@import|javascript:/)
    // Sides follow the direction.
    expect(html).not.toMatch(/(text-align|padding|margin)[-:](left|right)/)
  })

  test('preheader -> beginning of the first text, hidden; or the given one', () => {
    const hidden = (html: string) => /<div style="display:none[^>]*>([^&<]*)/.exec(html)?.[1]
    expect(hidden(layoutMail({ ...content, blocks: [{ text: 'Hello\nyou' }] }, ltr).html)).toBe('Hello you')
    expect(hidden(layoutMail({ ...content, preheader: 'A to B' }, ltr).html)).toBe('A to B')
  })

  test('long words -> every text may break', () => {
    const word = 'x'.repeat(300)
    const blocks = [{ text: word }, { facts: [[word, word]] as const }, { link: word, url: 'https://x.test' }]
    const { html } = layoutMail({ title: word, blocks, footer: [] }, ltr)
    const holders = html.match(/<[^>]+>(<bdi>)?x{300}/g) ?? []
    expect(holders).toHaveLength(6)
    // The title of the window is not shown.
    expect(holders.filter((tag) => !tag.includes('overflow-wrap:anywhere'))).toEqual([`<title>${word}`])
  })
})

describe('blocksOf', () => {
  test('line with the link -> button between the paragraphs', () => {
    expect(blocksOf(`Use it:\n${link.url}\n\nBye`, link)).toEqual([
      { text: 'Use it:' },
      { button: 'Open', url: link.url },
      { text: 'Bye' },
    ])
  })

  test('other URLs, and no link -> text', () => {
    expect(blocksOf('https://evil.example\n\nBye', link)).toEqual([
      { text: 'https://evil.example' },
      { text: 'Bye' },
    ])
    expect(blocksOf('Hi', null)).toEqual([{ text: 'Hi' }])
  })
})
