import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { checkBreakpoints } from './check-breakpoints.mjs'
import { checkImports, readSources } from './check-imports.mjs'
import { checkSql } from './check-sql.mjs'
import { checkTextKeys, readEnglishKeys } from './check-text-keys.mjs'
import { checkWords } from './check-words.mjs'
import { main, root, run } from './run.mjs'

const bin = (/** @type {string} */ name) => `${root}/node_modules/.bin/${name}`

// Minimum number of checked items: a tool that checks nothing reports no problems.
const fewest = {
  imports: 100,
  statements: 100,
  keys: 1000,
  queries: 30,
  oxlint: 100,
  biome: 100,
  tables: 10,
  types: 5,
  words: 1000,
}

/** TypeScript projects and their folders. Those with equal options share one, which checks common imports once. */
const projects = {
  'tsconfig.node.json': ['apps/server', 'apps/simulator', 'e2e', 'bench'],
  'apps/web': ['apps/web'],
  'packages/domain': ['packages/domain'],
  'packages/contract': ['packages/contract'],
  'packages/client': ['packages/client'],
  'packages/doubles': ['packages/doubles'],
}

/**
 * Runs all checks: types, lint, import directions and format. Prints a line for each; returns a success flag for each.
 */
export async function check() {
  const files = await listSources()
  // The longest first.
  const jobs = [
    checkLint,
    ...Object.keys(projects).map((project) => () => checkTypes(project, files)),
    () => checkDirections(files),
    () => checkForeignSql(files),
    () => checkTexts(files),
    () => checkWidths(files),
    checkProse,
    checkFormat,
    checkMigrations,
  ]
  return inParallel(jobs, Math.min(2, availableParallelism()))
}

/** Checks that no text, code or documentation has a banned word. */
async function checkProse() {
  const { code, output } = await run('git', ['ls-files', '-co', '--exclude-standard'], { quiet: true })
  const listed = code === 0 ? output.trim().split('\n') : (await import('./fingerprint.mjs')).filesUnder('.')
  const named = listed
    .map((file) => file.replace(/^\.\//, ''))
    .filter((file) => /\.(?:tsx?|mjs|css|sql|json|md|html)$/.test(file) && existsSync(`${root}/${file}`))
  const { files, problems } = checkWords(readSources(named, root))
  return report('words', files, fewest.words, problems.join('\n'))
}

async function listSources() {
  const { code, output } = await run('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    quiet: true,
  })
  const listed = code === 0 ? output.trim().split('\n') : (await import('./fingerprint.mjs')).filesUnder('.')
  return listed
    .map((file) => file.replace(/^\.\//, ''))
    .filter((file) => /\.tsx?$/.test(file) && existsSync(`${root}/${file}`))
}

/** @param {string[]} files */
async function checkDirections(files) {
  const { imports, problems } = checkImports(readSources(files, root))
  return report('imports', files.length, fewest.imports, problems.join('\n'), `${imports} imports`)
}

/** Checks that a feature's raw SQL names only its own tables and declared read views. @param {string[]} files */
async function checkForeignSql(files) {
  const folder = 'apps/server/sql'
  const sql = existsSync(`${root}/${folder}`)
    ? readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('.sql'),
      )
    : []
  const sources = readSources([...files, ...sql.map((file) => `${folder}/${file}`)], root)
  const { statements, problems } = checkSql(sources)
  return report('sql', statements, fewest.statements, problems.join('\n'), undefined, 'statements')
}

/** Checks that every key has a text and every text is used. @param {string[]} files */
async function checkTexts(files) {
  const running = files.filter(
    (file) => /^(apps|packages)\//.test(file) && !/\.(test|suite|fixture)\.tsx?$/.test(file),
  )
  const { named, problems } = checkTextKeys(readSources(running, root), readEnglishKeys(root))
  return report('text keys', named, fewest.keys, problems.join('\n'), undefined, 'keys')
}

/** Checks that the web's media queries use the four breakpoints. @param {string[]} files */
async function checkWidths(files) {
  const web = 'apps/web/src'
  const styles = readdirSync(`${root}/${web}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => `${web}/${file}`)
  const sources = readSources([...files.filter((file) => file.startsWith(web)), ...styles], root)
  const { queries, problems } = checkBreakpoints(sources)
  return report('breakpoints', queries, fewest.queries, problems.join('\n'), undefined, 'queries')
}

async function checkLint() {
  const { code, output } = await run(bin('oxlint'), [], { quiet: true })
  const count = Number(/on (\d+) files/.exec(output)?.[1] ?? 0)
  return report('oxlint', count, fewest.oxlint, code === 0 ? '' : output)
}

async function checkFormat() {
  const { code, output } = await run(bin('biome'), ['check', '.'], { quiet: true })
  const count = Number(/Checked (\d+) files/.exec(output)?.[1] ?? 0)
  return report(
    'biome check',
    count,
    fewest.biome,
    code === 0 ? '' : `${output}\nTo fix this, run npm run format.`,
  )
}

/** Checks that the migrations match the tables in the code. */
async function checkMigrations() {
  const server = `${root}/apps/server`
  const out = `node_modules/.cache/migrations-${process.pid}`
  mkdirSync(`${server}/node_modules/.cache`, { recursive: true })
  cpSync(`${server}/migrations`, `${server}/${out}`, { recursive: true })
  const schema = './src/{features,platform}/**/table.ts'
  const args = ['generate', '--dialect', 'postgresql', '--schema', schema, '--out', `./${out}`]
  const { output } = await run(bin('drizzle-kit'), args, { quiet: true, cwd: server })
  rmSync(`${server}/${out}`, { recursive: true })
  const tables = output.match(/^\S+ \d+ columns/gm)?.length ?? 0
  const same = output.includes('No schema changes')
  return report(
    'migrations',
    tables,
    fewest.tables,
    same ? '' : `${output}\nRun npm run db:generate to create the missing migration.`,
    undefined,
    'tables',
  )
}

/** @param {keyof typeof projects} project @param {string[]} files */
async function checkTypes(project, files) {
  const { code, output } = await run(
    bin('tsc'),
    ['-p', project, '--noEmit', '--listFiles', '--pretty', 'false'],
    { quiet: true },
  )
  const lines = output.split('\n')
  const read = new Set(lines)
  const own = files.filter((file) => projects[project].some((folder) => file.startsWith(`${folder}/`)))
  const missed = own
    .filter((file) => !read.has(`${root}/${file}`))
    .map((file) => `not in the project: ${file}`)
  const problems = lines.filter((line) => line !== '' && !line.startsWith('/'))
  const wrong = code === 0 ? missed : [...problems, ...missed]
  return report(`types ${project}`, own.length, fewest.types, wrong.join('\n'))
}

/**
 * @param {string} name @param {number} count @param {number} least
 * @param {string} problems @param {string} [more] @param {string} [noun]
 */
function report(name, count, least, problems, more, noun = 'files') {
  const tooFew = count < least ? `checked ${count} ${noun}, expected at least ${least}` : ''
  const failure = [problems, tooFew].filter(Boolean).join('\n')
  const note = [`${count} ${noun}`, more].filter(Boolean).join(', ')
  console.log(
    `${failure === '' ? 'ok    ' : 'FAILED'} ${name.padEnd(26)} ${note}${failure === '' ? '' : `\n${failure}`}`,
  )
  return failure === ''
}

/** @template T @param {(() => Promise<T>)[]} jobs @param {number} atOnce @returns {Promise<T[]>} */
async function inParallel(jobs, atOnce) {
  const results = []
  const waiting = [...jobs.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next[0]] = await next[1]()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    if ((await check()).includes(false)) process.exit(1)
  })
}
