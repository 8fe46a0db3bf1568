import { readdirSync, readFileSync } from 'node:fs'

const plural = /_(zero|one|two|few|many|other)$/
const routesFile = 'packages/domain/src/access/routes.ts'

/**
 * Compares the keys in the code with the texts in the English pack. Reports a key in the web's code without a text,
 * which users would see as is, and a text that no code can refer to. Keys passed to `t` directly are also checked by
 * their type.
 * @param {Map<string, string>} sources the production code, by path
 * @param {ReadonlySet<string>} keys every key of the English pack
 */
export function checkTextKeys(sources, keys) {
  const groups = [...new Set([...keys].map((key) => key.split('.', 1)[0]))].join('|')
  // The group may be computed: `${isOwn ? 'driver' : 'trip'}.reason_${reason}`.
  const group = `${groups}|\\$\\{[^}]*'(?:${groups})'[^}]*\\}`
  const literal = new RegExp(
    `(idempotentCall\\(|command: )?(['"\`])((?:${group})\\.(?:[\\w. ]|\\$\\{[^}]*\\})*)\\2`,
    'g',
  )
  const known = new Set([...keys].flatMap((key) => [key, key.replace(plural, '')]))
  const routes = sources.get(routesFile) ?? ''
  const words = new Set()
  const literals = new Set()
  /** @type {Map<string, RegExp>} */
  const patterns = new Map()
  const problems = []
  for (const [file, text] of sources) {
    const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    for (const [word] of code.matchAll(/\w+/g)) words.add(word)
    // Keys contain `no_driver_found` and `dispatch_waveSize` where the code contains 'no driver found' and
    // 'dispatch.waveSize'.
    for (const [, word = ''] of code.matchAll(/'(\w+(?:[. ]\w+)+)'/g)) words.add(word.replace(/[. ]/g, '_'))
    for (const [, isCall, , name = ''] of code.matchAll(literal)) {
      if (known.has(name)) {
        literals.add(name)
        continue
      }
      const pattern = patterns.get(name) ?? patternOf(name)
      if ([...known].some((key) => pattern.test(key))) patterns.set(name, pattern)
      else if (isKey(file, name) && !isCall && !routes.includes(`'${name}'`))
        problems.push(`${file}: no text for the key ${name}`)
    }
  }
  /**
   * The gap of a pattern is filled with identifiers from the code: a status, a field, an error.
   * @param {string} filling
   */
  const isSpelled = (filling) =>
    words.has(filling.replaceAll(' ', '_')) ||
    [...filling.matchAll(/_/g)].some(
      ({ index }) => words.has(filling.slice(0, index)) && isSpelled(filling.slice(index + 1)),
    )
  /** @param {string} key */
  const fits = (key) =>
    [...patterns].some(([name, pattern]) => {
      const filling = pattern.exec(key)?.[1]
      if (filling === undefined) return false
      return name.split('${').length > 2 ? isSpelled(filling) : words.has(filling.replaceAll(' ', '_'))
    })
  for (const key of keys) {
    const names = [key, key.replace(plural, '')]
    if (!names.some((name) => literals.has(name) || fits(name))) problems.push(`unused text ${key}`)
  }
  return { named: literals.size + patterns.size, problems }
}

/**
 * True for a key shown by the web; false for file names and for prefixes, which may have no keys.
 * @param {string} file @param {string} name
 */
const isKey = (file, name) =>
  file.startsWith('apps/web/src/') && !/[_.]$|\$\{/.test(name) && !/\.(tsx?|css|json|svg|html)$/.test(name)

/**
 * Returns the pattern of the keys that start with `'trip.route'`, `'trip.route_'` or `` `trip.route_${mode}` ``; the gaps are
 * the first group.
 * @param {string} name
 */
function patternOf(name) {
  const chosen = /^\$\{[^}]*\}/.exec(name)?.[0] ?? ''
  const groups = [...chosen.matchAll(/'(\w+)'/g)].map(([, group]) => group).join('|')
  const [first = '', ...rest] = name
    .slice(chosen.length)
    .split(/\$\{[^}]*\}/)
    .map((part) => part.replaceAll('.', '\\.'))
  const start = `(?:${groups})${first}`
  const separator = rest.length > 0 || /[_.]$/.test(name) ? '' : '_'
  const inner = rest.slice(0, -1).map((part) => `${part}.+`)
  return new RegExp(`^${start}${separator}(.+${inner.join('')})${rest.at(-1) ?? ''}$`)
}

/** Reads every key of the English pack. @param {string} root */
export function readEnglishKeys(root) {
  const folder = `${root}/packages/domain/src/languages/packs/en`
  const keysOf = (/** @type {string} */ file) =>
    Object.keys(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')))
  return new Set(
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) => keysOf(file).map((key) => `${file.replace('.json', '')}.${key}`)),
  )
}
