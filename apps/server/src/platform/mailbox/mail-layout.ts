/** A part of a mail, from top to bottom. All texts are plain: the layout escapes them. */
export type MailBlock =
  /** Paragraphs; a line break stays one. */
  | { text: string; quiet?: boolean }
  /** Names and values, such as the pickup of a trip. */
  | { facts: readonly (readonly [name: string, value: string])[] }
  /** Lines of a bill. */
  | { lines: readonly { text: string; amount: string; strong: boolean }[] }
  /** A button, with its URL below for programs that show no buttons. */
  | { button: string; url: string }
  /** A short text that links somewhere. */
  | { link: string; url: string }

export interface MailContent {
  /** The heading, which is also the subject. */
  title: string
  /** What lists of mails show after the subject. Default: the beginning of the first text. */
  preheader?: string
  blocks: readonly MailBlock[]
  /** Who sent it, and how to stop it. */
  footer: readonly MailBlock[]
}

export interface MailStyle {
  /** BCP 47. */
  language: string
  direction: 'ltr' | 'rtl'
  /** The name in the header. */
  operator: string
  /** A name and its value on one line of the plain text, as the language writes it. */
  labeled: (name: string, value: string) => string
}

const longestPreheader = 120

/** A mail as an HTML page without images and scripts, and as plain text with the same content. */
export function layoutMail(content: MailContent, style: MailStyle): { html: string; text: string } {
  return { html: htmlOf(content, style), text: textOf([...content.blocks, ...content.footer], style) }
}

/**
 * Blocks of a text from a language pack: paragraphs, and a button for each line that is the URL `link`. Lines that only
 * look like URLs, because a user wrote them, stay text.
 */
export function blocksOf(text: string, link: { url: string; label: string } | null): MailBlock[] {
  return text.split('\n\n').flatMap((paragraph) => {
    const lines = paragraph.split('\n')
    const others = lines.filter((line) => line !== link?.url).join('\n')
    const button = link && lines.includes(link.url) ? [{ button: link.label, url: link.url }] : []
    return [...(others === '' ? [] : [{ text: others }]), ...button]
  })
}

/** Removes directional marks, which some email clients show as boxes. */
export const withoutMarks = (text: string) => text.replace(/[\u2066-\u2069]/g, '')

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

function textOf(blocks: readonly MailBlock[], { labeled }: MailStyle): string {
  const parts = blocks.map((block) => {
    if ('text' in block) return block.text
    if ('facts' in block) return block.facts.map(([name, value]) => labeled(name, oneLine(value))).join('\n')
    if ('lines' in block) return block.lines.map(({ text, amount }) => labeled(text, amount)).join('\n')
    return 'link' in block ? `${block.link}\n${block.url}` : block.url
  })
  // A button belongs to the text before it.
  const isAttached = (index: number) =>
    index > 0 && 'button' in (blocks[index] ?? {}) && 'text' in (blocks[index - 1] ?? {})
  return withoutMarks(
    parts.map((part, index) => (index === 0 ? '' : isAttached(index) ? '\n' : '\n\n') + part).join(''),
  )
}

/**
 * Colours are inline because many programs remove style sheets; the sheet in the head only adds the dark ones, for
 * programs that follow the system. Outlook on Windows draws tables, so the frame and the button are tables.
 */
function htmlOf(
  { title, preheader, blocks, footer }: MailContent,
  { language, direction, operator }: MailStyle,
) {
  const first = blocks.find((block): block is { text: string } => 'text' in block)
  const preview = oneLine(withoutMarks(preheader ?? first?.text ?? '')).slice(0, longestPreheader)
  const body = blocks.map((block) => htmlBlock(block)).join('\n')
  const foot = footer.map((block) => htmlBlock(block, true)).join('\n')
  return `<!doctype html>
<html lang="${escaped(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
<style>
:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.m-page{background:#101114!important}
.m-card{background:#1a1c20!important}
.m-ink{color:#f2f3f5!important}
.m-quiet{color:#a4a9b1!important}
.m-line{border-color:#33363c!important}
.m-button{background:#f2f3f5!important}
.m-label{color:#101114!important}
}
@media (max-width:480px){.m-pad{padding:24px 20px!important}}
</style>
</head>
<body class="m-page" style="margin:0;padding:0;background:#f1f2f4;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escaped(preview)}${'&#847;&zwnj;&nbsp;'.repeat(20)}</div>
<table role="presentation" class="m-page" width="100%" cellpadding="0" cellspacing="0" style="width:100%;background:#f1f2f4">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;table-layout:fixed;text-align:start;font-family:${font}">
<tr><td class="m-ink" style="padding:0 8px 16px;font-size:17px;line-height:24px;font-weight:700;${wrap};color:${ink}">${bdi(operator)}</td></tr>
<tr><td class="m-card m-pad" style="padding:32px;background:#ffffff;border-radius:16px">
<h1 class="m-ink" style="margin:0 0 20px;font-size:24px;line-height:32px;font-weight:700;${wrap};color:${ink}">${escaped(withoutMarks(title))}</h1>
${body}
</td></tr>
<tr><td style="padding:20px 8px 8px">
${foot}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

const ink = '#15171b'
const quiet = '#5b6068'
const font =
  "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Arabic',Tahoma,Arial,sans-serif"
const wrap = 'overflow-wrap:anywhere;word-break:break-word'
const size = (small: boolean) =>
  small ? 'font-size:13px;line-height:20px' : 'font-size:16px;line-height:25px'

function htmlBlock(block: MailBlock, isFooter = false): string {
  const isQuiet = isFooter || ('quiet' in block && block.quiet === true)
  const names = isQuiet ? 'm-quiet' : 'm-ink'
  const style = `${size(isQuiet)};${wrap};color:${isQuiet ? quiet : ink}`
  const paragraph = (html: string) =>
    `<p class="${names}" style="margin:0 0 ${isFooter ? 8 : 16}px;${style}">${html}</p>`
  if ('text' in block) {
    return block.text
      .split('\n\n')
      .map((part) => paragraph(escaped(withoutMarks(part)).replaceAll('\n', '<br>')))
      .join('\n')
  }
  if ('facts' in block) {
    return table(
      block.facts.map(([name, value]) =>
        row(
          cell(escaped(name), `width:34%;padding-inline-end:12px;color:${quiet}`, 'm-quiet') +
            cell(bdi(withoutMarks(value)), `color:${ink}`, 'm-ink'),
        ),
      ),
    )
  }
  if ('lines' in block) {
    return table(
      block.lines.map(({ text, amount, strong }) => {
        const weight = strong ? 'font-weight:700;border-top:1px solid #dfe1e5;' : ''
        const looks = `m-ink${strong ? ' m-line' : ''}`
        return row(
          cell(bdi(withoutMarks(text)), `${weight}color:${ink}`, looks) +
            cell(
              `<bdi dir="ltr">${escaped(withoutMarks(amount))}</bdi>`,
              `width:46%;text-align:end;${weight}color:${ink}`,
              looks,
            ),
        )
      }),
    )
  }
  if ('link' in block) {
    return paragraph(
      `<a class="${names}" href="${escaped(block.url)}" style="${style}">${escaped(withoutMarks(block.link))}</a>`,
    )
  }
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:4px 0 12px"><tr>
<td class="m-button" style="background:${ink};border-radius:12px"><a class="m-label" href="${escaped(block.url)}" style="display:inline-block;padding:13px 24px;font-size:16px;line-height:24px;font-weight:600;text-decoration:none;color:#ffffff">${escaped(block.button)}</a></td>
</tr></table>
<p class="m-quiet" style="margin:0 0 20px;font-size:12px;line-height:18px;word-break:break-all;text-align:start;color:${quiet}"><a class="m-quiet" href="${escaped(block.url)}" style="color:${quiet}"><bdi dir="ltr">${escaped(block.url)}</bdi></a></p>`
}

const table = (rows: readonly string[]) =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="width:100%;margin:0 0 20px;table-layout:fixed;border-collapse:collapse">${rows.join('\n')}</table>`
const row = (cells: string) => `<tr>${cells}</tr>`
const cell = (html: string, style: string, names: string) =>
  `<td class="${names}" style="padding:6px 0;vertical-align:top;text-align:start;font-size:15px;line-height:22px;${wrap};${style}">${html}</td>`
/** Isolates a value whose direction may differ from the mail's. */
const bdi = (text: string) => `<bdi>${escaped(text)}</bdi>`

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
