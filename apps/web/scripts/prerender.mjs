import { readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { entryFiles } from './size.mjs'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const { prerendered, renderLanding } = await import('../dist-prerender/prerender.js')

/** Lets the browser fetch the landing page's own code together with the entry, not after it. */
async function landingPreloads() {
  const { scripts, styles } = await entryFiles(dist)
  return [
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
  ]
}

const template = await readFile(`${dist}index.html`, 'utf8')
await writeFile(`${dist}app.html`, template.replace('<!--app-->', ''))
const links = (await landingPreloads()).filter((link) => {
  const file = link.match(/href="([^"]+)"/)[1]
  return !template.includes(`"${file}"`)
})
for (const { langLocale, direction } of prerendered) {
  const html = template
    .replace('<html lang="en" dir="ltr">', `<html lang="${langLocale}" dir="${direction}">`)
    .replace('</head>', `  ${links.join('\n    ')}\n  </head>`)
    .replace('<!--app-->', () => '')
  const shell = await renderLanding(langLocale)
  await writeFile(
    `${dist}index.${langLocale}.html`,
    html.replace('<div id="root"></div>', () => `<div id="root">${shell}</div>`),
  )
}
await rm(`${dist}index.html`)
await rm(fileURLToPath(new URL('../dist-prerender/', import.meta.url)), { recursive: true })
