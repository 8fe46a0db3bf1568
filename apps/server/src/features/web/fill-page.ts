import type { Boot, PersonBoot } from '@hansom/contract/boot'
import type { PageFiles } from './web-build.ts'

/** A filled page in two halves: what belongs to a person stands between them. */
export interface FilledPage {
  before: string
  after: string
}

const place = '<!--boot-->'

/** Fills a page: its title and the app's name, language, direction, what it begins with, and the data for its first render. */
export function fillPage(html: string, boot: Boot, files: PageFiles): FilledPage {
  const { langLocale, direction } = boot.pack
  const filled = html
    .replace(/<html[^>]*>/, () => `<html lang="${escaped(langLocale)}" dir="${direction}">`)
    .replaceAll('<!--title-->', () => escaped(boot.settings.appName))
    .replaceAll('%APP_NAME%', () => escaped(boot.settings.appName))
    .replace('</head>', () => `${linksTo(files, html)}</head>`)
  const at = filled.indexOf(place)
  if (at < 0) return { before: filled, after: '' }
  return {
    before: filled.slice(0, at) + dataScript('boot', boot),
    after: filled.slice(at + place.length),
  }
}

/** The page of one person. */
export function personPage({ before, after }: FilledPage, person: PersonBoot): string {
  return before + dataScript('person', person) + after
}

/** Lets the browser fetch what the page begins with at once, not one after the other. */
function linksTo({ scripts, styles }: PageFiles, html: string): string {
  const missing = (file: string) => !html.includes(`"/${file}"`)
  return [
    ...styles.filter(missing).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...scripts.filter(missing).map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ].join('')
}

function dataScript(id: string, data: unknown): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${id}">${json}</script>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
