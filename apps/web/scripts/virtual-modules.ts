import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build as buildApp, type Plugin } from 'vite'
import { readSiteTexts } from './site-texts.ts'

const script = fileURLToPath(new URL('./contract-json.ts', import.meta.url))
const contractSource = fileURLToPath(new URL('../../../packages/contract/src/', import.meta.url))
const contractId = '\0virtual:contract'

/**
 * Serves `virtual:contract`: the contract's methods and paths as JSON, generated at build time so that neither the
 * schemas nor the schema library reach the browser.
 */
export function contractModule(): Plugin {
  let json: string | undefined
  return {
    name: 'hansom-contract',
    resolveId: (id) => (id === 'virtual:contract' ? contractId : undefined),
    load(id) {
      if (id !== contractId) return undefined
      json ??= execFileSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' })
      return `export default JSON.parse(${JSON.stringify(json)})`
    },
    handleHotUpdate({ file }) {
      if (file.startsWith(contractSource)) json = undefined
    },
  }
}

const siteTextsId = '\0virtual:site-texts'

/**
 * Serves `virtual:site-texts`: the text groups each page uses. The build also writes them to `.vite/site.json` for the
 * server, with the modules that each page loads.
 */
export function siteTextsModule(): Plugin {
  return {
    name: 'hansom-site-texts',
    resolveId: (id) => (id === 'virtual:site-texts' ? siteTextsId : undefined),
    load: (id) =>
      id === siteTextsId
        ? `export default JSON.parse(${JSON.stringify(JSON.stringify(readSiteTexts().texts))})`
        : undefined,
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '.vite/site.json', source: JSON.stringify(readSiteTexts()) })
    },
  }
}

const workerFile = fileURLToPath(new URL('../src/service-worker/main.ts', import.meta.url))

/** Emits `sw.js`, a classic script without imports, whose first line differs in every build. */
export function serviceWorker(): Plugin {
  return {
    name: 'hansom-service-worker',
    async generateBundle(_options, bundle) {
      const build = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12)
      const output = await buildApp({
        configFile: false,
        logLevel: 'warn',
        build: { write: false, rolldownOptions: { input: workerFile, output: { format: 'iife' } } },
      })
      const script = [output].flat().flatMap((one) => ('output' in one ? one.output : []))
      const [chunk] = script.filter((file) => file.type === 'chunk')
      if (!chunk || script.length > 1) throw new Error('the service worker is not one script')
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: `// ${build}\n${chunk.code}` })
    },
  }
}
