import type { Plugin } from 'vite'
import { readSiteTexts } from './site-texts.ts'

const resolvedId = '\0virtual:site-texts'

/**
 * Serves `virtual:site-texts`: the text groups each page uses. The build also writes them to `.vite/site.json` for the
 * server, with the modules that each page loads.
 */
export function siteTextsModule(): Plugin {
  return {
    name: 'hansom-site-texts',
    resolveId: (id) => (id === 'virtual:site-texts' ? resolvedId : undefined),
    load: (id) =>
      id === resolvedId
        ? `export default JSON.parse(${JSON.stringify(JSON.stringify(readSiteTexts().texts))})`
        : undefined,
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '.vite/site.json', source: JSON.stringify(readSiteTexts()) })
    },
  }
}
