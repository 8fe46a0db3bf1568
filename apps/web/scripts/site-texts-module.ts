import type { Plugin } from 'vite'
import { readSiteTexts } from './site-texts.ts'

const resolvedId = '\0virtual:site-texts'

/**
 * Serves `virtual:site-texts`: which texts every page says. The build also writes it down for the server, with the files
 * of code that every page begins with.
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
