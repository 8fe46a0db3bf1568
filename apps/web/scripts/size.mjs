import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** Modules that every page loads: the entry and the module it imports right after. */
export const beginning = ['index.html', 'src/app/begin.tsx']
const landing = 'src/app/landing-page.tsx'

/**
 * The files a first visit to the landing page needs: the entry, the landing screen and all their static imports.
 * Lazy-loaded files (map, dialogs, other pages) are not included. Paths are relative to `dist`.
 */
export async function entryFiles(dist) {
  const manifest = JSON.parse(await readFile(`${dist}/.vite/manifest.json`, 'utf8'))
  return filesOf(manifest, [...beginning, landing])
}

/** The files of the given modules and all their static imports, according to a build manifest. */
export function filesOf(manifest, modules) {
  const scripts = new Set()
  const styles = new Set()
  const visit = (key) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`the build has no ${key}`)
    if (scripts.has(chunk.file)) return
    scripts.add(chunk.file)
    for (const file of chunk.css ?? []) styles.add(file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const module of modules) visit(module)
  return { scripts: [...scripts], styles: [...styles] }
}

/** Gzipped bytes of the landing page's JavaScript and CSS before the map loads, in total and by file. */
export async function landingSize(dist = fileURLToPath(new URL('../dist', import.meta.url))) {
  const { scripts, styles } = await entryFiles(dist)
  const weigh = async (files) => {
    const weights = []
    for (const file of files)
      weights.push({ file, bytes: gzipSync(await readFile(`${dist}/${file}`), { level: 9 }).length })
    return weights.sort((a, b) => b.bytes - a.bytes)
  }
  const js = await weigh(scripts)
  const css = await weigh(styles)
  const sum = (list) => list.reduce((total, { bytes }) => total + bytes, 0)
  return { scriptBytes: sum(js), styleBytes: sum(css), scripts: js, styles: css }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const size = await landingSize()
  for (const { file, bytes } of [...size.scripts, ...size.styles]) {
    process.stdout.write(`${String(bytes).padStart(8)}  ${file}\n`)
  }
  process.stdout.write(`${String(size.scriptBytes).padStart(8)}  JavaScript of the landing page, gzipped\n`)
  process.stdout.write(`${String(size.styleBytes).padStart(8)}  style sheets, gzipped\n`)
}
