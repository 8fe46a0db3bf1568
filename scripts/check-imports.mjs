import { readFileSync } from 'node:fs'
import { objection } from './import-rules.mjs'
import { readImports, resolveImport } from './read-imports.mjs'

/**
 * Checks the direction of every import, and that none goes round in a circle.
 * @param {Map<string, string>} sources text by path from the root
 * @returns {{ imports: number, problems: string[] }}
 */
export function checkImports(sources) {
  const problems = []
  /** @type {Map<string, string[]>} */
  const graph = new Map()
  let imports = 0
  for (const [file, text] of sources) {
    const targets = []
    for (const { specifier, typeOnly } of readImports(file, text)) {
      imports += 1
      const target = resolveImport(file, specifier)
      const reason = objection(file, { specifier, target, typeOnly })
      if (reason !== undefined) problems.push(`${file}: ${specifier}: ${reason}`)
      if (target !== undefined) targets.push(target)
    }
    graph.set(file, targets)
  }
  return { imports, problems: [...problems, ...findCircles(graph)] }
}

/** @param {Map<string, string[]>} graph */
function findCircles(graph) {
  const circles = []
  const done = new Set()
  const path = []
  const visit = (/** @type {string} */ file) => {
    const begun = path.indexOf(file)
    if (begun >= 0) {
      circles.push(`imports in a circle: ${[...path.slice(begun), file].join(' -> ')}`)
      return
    }
    if (done.has(file)) return
    path.push(file)
    for (const target of graph.get(file) ?? []) visit(target)
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return circles
}

/** @param {string[]} files @param {string} root */
export function readSources(files, root) {
  return new Map(files.map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')]))
}
