import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { beginning, filesOf } from './size.mjs'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const { prerendered, renderLanding } = await import('../dist-prerender/prerender.js')

const template = await readFile(`${dist}index.html`, 'utf8')
await writeFile(`${dist}app.html`, template.replace('<!--app-->', ''))
for (const { category, langLocale, direction } of prerendered) {
  const html = template
    .replace('<html lang="en" dir="ltr">', `<html lang="${langLocale}" dir="${direction}">`)
    .replace('<!--app-->', () => '')
  const shell = await renderLanding(langLocale, category)
  await writeFile(
    `${dist}index.${category}.${langLocale}.html`,
    html.replace('<div id="root"></div>', () => `<div id="root">${shell}</div>`),
  )
}
await rm(`${dist}index.html`)
await rm(fileURLToPath(new URL('../dist-prerender/', import.meta.url)), { recursive: true })

/** Lists the script and style files of every page, so that the browser can request them all immediately. */
async function describeSite() {
  const manifest = JSON.parse(await readFile(`${dist}.vite/manifest.json`, 'utf8'))
  const { texts, modules } = JSON.parse(await readFile(`${dist}.vite/site.json`, 'utf8'))
  const files = {}
  for (const [path, { all, forRole }] of Object.entries(modules)) {
    files[path] = {
      all: filesOf(manifest, [...beginning, ...all]),
      forRole: Object.fromEntries(
        Object.entries(forRole).map(([role, own]) => [role, filesOf(manifest, own)]),
      ),
    }
  }
  await writeFile(`${dist}.vite/site.json`, JSON.stringify({ texts, files }))
}

/** Compresses static files once at build time, at a high level. */
async function compressFiles() {
  const names = await readdir(dist, { recursive: true })
  const texts = names.filter(
    (name) => /\.(js|mjs|css|svg|json|txt|webmanifest)$/.test(name) && !name.startsWith('.'),
  )
  const small = promisify(brotliCompress)
  await Promise.all(
    texts.map(async (name) => {
      const file = await readFile(dist + name)
      if (file.length < 1024) return
      const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: file.length }
      await Promise.all([
        small(file, { params }).then((body) => writeFile(`${dist}${name}.br`, body)),
        promisify(gzip)(file, { level: 9 }).then((body) => writeFile(`${dist}${name}.gz`, body)),
      ])
    }),
  )
}

/**
 * Most functions in these files run before the first paint. The hint makes the browser compile them during the download
 * instead of one at a time while the page waits (v8.dev/blog/explicit-compile-hints).
 */
async function hintFiles() {
  const names = await readdir(`${dist}assets`)
  const first = names.filter((name) => /^(base|start|frame|admin|travel)-[\w-]+\.js$/.test(name))
  for (const name of first) {
    const code = await readFile(`${dist}assets/${name}`, 'utf8')
    await writeFile(`${dist}assets/${name}`, `//# allFunctionsCalledOnLoad\n${code}`)
  }
}

await describeSite()
await hintFiles()
await compressFiles()
