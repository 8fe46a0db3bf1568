import { posix } from 'node:path'
import { parseSync } from 'vite'

/**
 * Lists every import of a source file, types included.
 * @param {string} file its path, which determines the language
 * @param {string} text
 * @returns {{ specifier: string, typeOnly: boolean }[]}
 */
export function readImports(file, text) {
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const found = []
  // `import { type A }` still loads the module at run time; `import type { A }` does not.
  const isType = (/** @type {number} */ start) =>
    /^(import|export)\s+type\b/.test(text.slice(start, start + 20))
  for (const { moduleRequest, start } of module.staticImports) {
    found.push({ specifier: moduleRequest.value, typeOnly: isType(start) })
  }
  for (const { entries, start } of module.staticExports) {
    const request = entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest
    if (request) found.push({ specifier: request.value, typeOnly: isType(start) })
  }
  // The parser lists import('x') as a value, but not as a type (import('x').Name).
  const values = new Set(module.dynamicImports.map((one) => one.moduleRequest.start))
  for (const match of text.matchAll(/\bimport\(\s*(['"])([^'"]+)\1/g)) {
    const quote = match.index + match[0].length - match[2].length - 2
    found.push({ specifier: match[2], typeOnly: !values.has(quote) })
  }
  return found
}

/**
 * Resolves a specifier to a file of this repository; undefined for an external package.
 * @param {string} file the importing file, from the root
 * @param {string} specifier
 */
export function resolveImport(file, specifier) {
  const path = specifier.split('?')[0]
  if (path.startsWith('.')) return posix.join(posix.dirname(file), path)
  const own = /^@hansom\/(domain|contract|client)\/(.+)$/.exec(path)
  if (own === null) return undefined
  return `packages/${own[1]}/src/${own[2]}${own[2].endsWith('.json') ? '' : '.ts'}`
}
