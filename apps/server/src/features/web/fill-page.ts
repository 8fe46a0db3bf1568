import type { Boot } from '@hansom/contract/boot'

/** Fills a page: its title and the app's name, language, direction, and the data for the first render. */
export function fillPage(html: string, boot: Boot): string {
  const { langLocale, direction } = boot.pack
  const data = JSON.stringify(boot).replaceAll('<', '\\u003c')
  return html
    .replace(/<html[^>]*>/, () => `<html lang="${escaped(langLocale)}" dir="${direction}">`)
    .replaceAll('<!--title-->', () => escaped(boot.settings.appName))
    .replaceAll('%APP_NAME%', () => escaped(boot.settings.appName))
    .replace('<!--boot-->', () => `<script type="application/json" id="boot">${data}</script>`)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
