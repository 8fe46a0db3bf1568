import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const script = fileURLToPath(new URL('./contract-json.ts', import.meta.url))
const contractSource = fileURLToPath(new URL('../../../packages/contract/src/', import.meta.url))
const resolvedId = '\0virtual:contract'

/**
 * Serves `virtual:contract`: the contract's methods and paths as JSON, generated at build time so that neither the
 * schemas nor the schema library reach the browser.
 */
export function contractModule(): Plugin {
  let json: string | undefined
  return {
    name: 'hansom-contract',
    resolveId: (id) => (id === 'virtual:contract' ? resolvedId : undefined),
    load(id) {
      if (id !== resolvedId) return undefined
      json ??= execFileSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' })
      return `export default JSON.parse(${JSON.stringify(json)})`
    },
    handleHotUpdate({ file }) {
      if (file.startsWith(contractSource)) json = undefined
    },
  }
}
