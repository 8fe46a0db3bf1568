import type { Boot, PersonBoot } from '@hansom/contract/boot'
import type { PageFiles } from './web-build.ts'

/** A filled page in two halves, between which the user's data is inserted. */
export interface FilledPage {
  before: string
  after: string
}

const place = '<!--boot-->'

/** Fills a page: title, app name, language, direction, files to preload, and the data for its first render. */
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

/** Returns the page of one user. */
export function personPage({ before, after }: FilledPage, person: PersonBoot): string {
  return before + dataScript('person', person) + after
}

/** Lets the browser fetch the page's initial files in parallel. */
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
