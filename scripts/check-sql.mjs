import { posix } from 'node:path'
import { parseSync } from 'vite'
import { foreignTables } from './foreign-tables.mjs'

/**
 * @typedef {{ owner: string, readers: string[] }} View a declared read view
 * @typedef {Record<string, string>} ForeignTables features by file, see foreign-tables.mjs
 */

const serverFolder = 'apps/server/src/'
const features = `${serverFolder}features/`
const viewsFolder = 'apps/server/sql/views/'
const isTest = (/** @type {string} */ file) => /\.(test|suite|fixture)\.ts$|\/test-[\w-]+\.ts$/.test(file)

/** Only this file names the tables of pg-boss, which may change with its version. */
const jobTable = `${serverFolder}platform/jobs/job-table.ts`

/** They build or remove a complete database, so they name every table. */
const databaseBuilders = ['demo', 'large-city']

/**
 * Checks that raw SQL names only tables of its own feature (those of pg-boss only in job-table.ts), and that drizzle
 * queries import only their own table.ts. Another feature's rows are read from a declared read view (apps/server/sql/views) or through that feature's service.
 * @param {Map<string, string>} sources text by path from the root: TypeScript, and SQL below apps/server/sql
 * @param {ForeignTables} known the remaining imports of another feature's table.ts; one that is gone is a problem
 * @returns {{ statements: number, problems: string[] }}
 */
export function checkSql(sources, known = foreignTables) {
  const { owners, variables } = tablesOf(sources)
  const { views, problems } = readViews(sources, owners)
  const read = new Set()
  const imported = new Map()
  let statements = 0
  for (const [file, text] of sources) {
    if (!file.startsWith(serverFolder) || !file.endsWith('.ts') || isTest(file)) continue
    const unit = unitOf(file)
    const foreign = new Set()
    const from = databaseBuilders.includes(unit) ? [] : foreignTablesOf(file, text)
    if (from.length > 0) imported.set(file, from.join(' '))
    for (const statement of sqlIn(file, text, variables)) {
      statements += 1
      if (file !== jobTable && /\bpgboss\s*\./.test(statement))
        problems.push(`${file}: raw SQL names a table of pg-boss: move the statement to ${jobTable}`)
      for (const { name, writes } of namedTables(statement)) {
        const view = views.get(name)
        if (view !== undefined && view.owner !== unit) {
          read.add(`${name} ${unit}`)
          if (writes) problems.push(`${file}: writes to the read view ${name}`)
          else if (!view.readers.includes(unit)) {
            problems.push(`${file}: ${name} is not declared as read by ${unit} (${viewsFolder}${name}.sql)`)
          }
        }
        const owner = owners.get(name)
        const isForeign = owner !== undefined && owner !== unit && !databaseBuilders.includes(unit)
        if (isForeign) foreign.add(name)
      }
    }
    if (foreign.size > 0)
      problems.push(`${file}: raw SQL names tables of another feature: ${[...foreign].sort().join(', ')}`)
  }
  for (const [name, { readers }] of views) {
    for (const reader of readers.filter((one) => !read.has(`${name} ${one}`))) {
      problems.push(`${viewsFolder}${name}.sql: ${reader} does not read it`)
    }
  }
  return { statements, problems: [...problems, ...compareImports(imported, known)] }
}

/** The feature of a server file (users/admin shares the tables of users); `platform` or `app` for other files. */
function unitOf(/** @type {string} */ file) {
  return /\/features\/([^/]+)\//.exec(file)?.[1] ?? (file.includes('/platform/') ? 'platform' : 'app')
}

/** The owner of each table, and the table of each variable. @param {Map<string, string>} sources */
function tablesOf(sources) {
  const owners = new Map()
  const variables = new Map()
  for (const [file, text] of sources) {
    if (!file.startsWith(features) || !file.endsWith('/table.ts')) continue
    for (const [, variable, name] of text.matchAll(/(?:\bconst (\w+) = )?\bpgTable\(\s*'(\w+)'/g)) {
      owners.set(name, unitOf(file))
      if (variable !== undefined) variables.set(variable, name)
    }
  }
  return { owners, variables }
}

/** @param {Map<string, string>} sources @param {Map<string, string>} owners */
function readViews(sources, owners) {
  /** @type {Map<string, View>} */
  const views = new Map()
  const problems = []
  for (const [file, text] of sources) {
    if (!file.startsWith(viewsFolder)) continue
    const header = /^-- Owner: ([\w-]+); read by: ([\w-]+(?:, [\w-]+)*)\n/.exec(text)
    if (header === null) {
      problems.push(`${file}: the first line must be "-- Owner: <feature>; read by: <feature>, ..."`)
      continue
    }
    const [, owner = '', readers = ''] = header
    views.set(file.slice(viewsFolder.length, -'.sql'.length), { owner, readers: readers.split(', ') })
    for (const { name } of namedTables(text)) {
      if ((owners.get(name) ?? owner) !== owner) problems.push(`${file}: ${name} does not belong to ${owner}`)
    }
  }
  return { views, problems }
}

/** @param {Map<string, string>} imported @param {ForeignTables} known */
function compareImports(imported, known) {
  const problems = []
  for (const [file, owners] of imported) {
    const allowed = known[file.slice(serverFolder.length)]?.split(' ') ?? []
    const added = owners.split(' ').filter((/** @type {string} */ owner) => !allowed.includes(owner))
    if (added.length > 0)
      problems.push(`${file}: imports the table.ts of another feature: ${added.join(', ')}`)
  }
  for (const [name, owners] of Object.entries(known)) {
    const still = imported.get(`${serverFolder}${name}`)?.split(' ') ?? []
    const gone = owners.split(' ').filter((owner) => !still.includes(owner))
    if (gone.length > 0)
      problems.push(`${name}: no longer imports ${gone.join(', ')}: remove it from foreign-tables.mjs`)
  }
  return problems
}

/**
 * The features whose table.ts a file imports, types aside. A table.ts may import another one for its foreign keys.
 * @param {string} file @param {string} text
 */
function foreignTablesOf(file, text) {
  if (file.endsWith('/table.ts')) return []
  const unit = unitOf(file)
  const owners = new Set()
  for (const [, names = '', source = ''] of text.matchAll(
    /^import \{([^}]*)\} from '(\.[^']*\/table\.ts)'/gm,
  )) {
    const target = posix.join(posix.dirname(file), source)
    const isValue = names.split(',').some((name) => name.trim() !== '' && !name.trim().startsWith('type '))
    if (isValue && target.startsWith(features) && unitOf(target) !== unit) owners.add(unitOf(target))
  }
  return [...owners].sort()
}

/**
 * Returns the string and template literals that contain SQL. An interpolated table becomes its name where a statement
 * names a table, any other interpolation a question mark.
 * @param {string} file @param {string} text @param {Map<string, string>} variables
 */
function sqlIn(file, text, variables) {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const literals = []
  const visit = (/** @type {any} */ node) => {
    if (node === null || typeof node !== 'object') return
    if (node.type === 'TemplateLiteral') {
      const parts = node.quasis.map((/** @type {any} */ part, /** @type {number} */ index) => {
        const { cooked } = part.value
        const table = /\b(from|join|update|into|using)\s+(only\s+)?$/i.test(cooked)
          ? variables.get(node.expressions[index]?.name)
          : undefined
        return index < node.expressions.length ? `${cooked} ${table ?? '?'} ` : cooked
      })
      literals.push(parts.join(''))
    } else if (node.type === 'Literal' && typeof node.value === 'string') literals.push(node.value)
    for (const child of Object.values(node)) visit(child)
  }
  visit(program)
  return literals.filter((literal) => /\b(select|insert|update|delete|truncate|from|join)\b/i.test(literal))
}

const named =
  /\b(from|join|update|into|using|truncate|table)\s+(?:only\s+|lateral\s+)*((?:\w+)(?:\s+(?:as\s+)?\w+)?(?:\s*,\s*\w+(?:\s+(?:as\s+)?\w+)?)*)/gi

/** Lists the tables and views that a statement names. @param {string} text */
function namedTables(text) {
  const statement = text.replace(/--.*$/gm, '')
  return [...statement.matchAll(named)].flatMap(({ index, 1: keyword = '', 2: list = '' }) => {
    const writes =
      /^(update|into|truncate)$/i.test(keyword) || /\bdelete\s+$/i.test(statement.slice(0, index))
    return list.split(',').map((one) => ({ name: one.trim().split(/\s/)[0] ?? '', writes }))
  })
}
