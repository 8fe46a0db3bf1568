import { readFileSync } from 'node:fs'
import { objection } from './import-rules.mjs'
import { readImports, resolveImport } from './read-imports.mjs'

/**
 * Checks the direction of every import, and that no imports form a cycle.
 * @param {Map<string, string>} sources text by path from the root
 * @returns {{ imports: number, problems: string[] }}
 */
export function checkImports(sources) {
  const imported = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]))
  const problems = []
  for (const [file, imports] of imported) {
    for (const one of imports) {
      const reason = objection(file, one, () => isLight(one.target, imported))
      if (reason !== undefined) problems.push(`${file}: ${one.specifier}: ${reason}`)
    }
  }
  const graph = new Map(
    [...imported].map(([file, imports]) => [file, imports.flatMap(({ target }) => target ?? [])]),
  )
  const count = [...imported.values()].flat().length
  return { imports: count, problems: [...problems, ...findCycles(graph)] }
}

/** @param {string} file @param {string} text */
function importsOf(file, text) {
  return readImports(file, text).map((one) => ({ ...one, target: resolveImport(file, one.specifier) }))
}

/**
 * True when a module loads no external package at run time.
 * @param {string | undefined} file @param {Map<string, ReturnType<typeof importsOf>>} imported
 * @returns {boolean}
 */
function isLight(file, imported, seen = new Set()) {
  if (file === undefined) return false
  if (seen.has(file)) return true
  seen.add(file)
  const loaded = imported.get(file)?.filter(({ typeOnly }) => !typeOnly)
  return loaded?.every(({ target }) => isLight(target, imported, seen)) ?? false
}

/** @param {Map<string, string[]>} graph */
function findCycles(graph) {
  const cycles = []
  const done = new Set()
  const path = []
  const visit = (/** @type {string} */ file) => {
    const first = path.indexOf(file)
    if (first >= 0) {
      cycles.push(`import cycle: ${[...path.slice(first), file].join(' -> ')}`)
      return
    }
    if (done.has(file)) return
    path.push(file)
    for (const target of graph.get(file) ?? []) visit(target)
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return cycles
}

/** @param {string[]} files @param {string} root */
export function readSources(files, root) {
  return new Map(files.map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')]))
}
