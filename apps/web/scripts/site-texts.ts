import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = fileURLToPath(new URL('..', import.meta.url))
const packages = fileURLToPath(new URL('../../../packages/', import.meta.url))
const screensFile = join(web, 'src/app/screens.ts')
const partsFile = join(web, 'src/app/role-parts.ts')
const frameFile = join(web, 'src/app/shells/app-shell.tsx')
const entryFile = join(web, 'src/main.tsx')

/** Texts that are named by what the server sends and by no code. */
const namedByServer: Record<string, string[]> = {
  [join(web, 'src/app/shells/notifications-button.tsx')]: ['notify'],
  [join(web, 'src/features/bookings/trip/timeline.tsx')]: ['notify'],
}

/** As in domain/users/roles: this runs before TypeScript of other packages can be read. */
const roles = ['rider', 'driver', 'fleetadmin', 'admin']

interface Module {
  imports: string[]
  later: string[]
  texts: Set<string>
}

interface Page {
  path: string
  shell: string
  file: string
  forRole: Record<string, string>
  names: string[]
}

/**
 * Reads from the code which groups of texts every page says: its own module and all that this imports, now or later, up
 * to the parts that another role alone sees. `modules` are the files whose code the page needs at once.
 */
export function readSiteTexts() {
  const english = englishKeys()
  const modules = new Map<string, Module>()
  const pages = readPages()
  // Parts for one role are counted for that role alone; the table of screens leads to every page.
  const stops = new Set([screensFile, frameFile, ...pages.flatMap(({ forRole }) => Object.values(forRole))])

  const read = (file: string): Module => {
    const known = modules.get(file)
    if (known) return known
    const source = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    const module = {
      imports: [
        ...source.matchAll(/(?:^|\n)(?:import|export)\s+(?!type\b)(?:[^'"]*?from\s*)?'([^']+)'/g),
      ].flatMap((match) => resolve(file, match[1])),
      later: [...source.matchAll(/import\(\s*'([^']+)'\s*\)/g)].flatMap((match) => resolve(file, match[1])),
      texts: new Set([...textsIn(source, english), ...(namedByServer[file] ?? [])]),
    }
    modules.set(file, module)
    return module
  }
  const textsFrom = (files: string[], without: ReadonlySet<string> = new Set()) => {
    const seen = new Set<string>()
    const texts = new Set<string>()
    const visit = (file: string, isStart: boolean) => {
      if (seen.has(file) || (!isStart && stops.has(file))) return
      seen.add(file)
      const module = read(file)
      for (const text of module.texts) if (!without.has(text)) texts.add(text)
      for (const next of [...module.imports, ...module.later]) visit(next, false)
    }
    for (const file of files) visit(file, true)
    return [...texts].sort()
  }

  const everywhere = textsFrom([entryFile])
  const common = new Set(everywhere)
  const frame = textsFrom([frameFile], common)
  const name = (file: string) => file.slice(web.length)
  return {
    texts: {
      everywhere,
      frame,
      pages: Object.fromEntries(
        pages.map(({ path, shell, file, forRole, names }) => [
          path,
          {
            texts: textsFrom([file], common),
            forRole: mapValues(forRole, (part) => textsFrom([part], common)),
            framed: shell !== 'public',
            names,
          },
        ]),
      ),
    },
    modules: Object.fromEntries(
      pages.map(({ path, shell, file, forRole }) => [
        path,
        {
          all: [...(shell === 'app' ? [name(frameFile)] : []), name(file)],
          forRole:
            shell === 'home'
              ? Object.fromEntries(roles.map((role) => [role, name(frameFile)]))
              : mapValues(forRole, name),
        },
      ]),
    ),
  }
}

/** Every key of the release, and the groups they are in. */
function englishKeys(): Map<string, string[]> {
  const folder = join(packages, 'domain/src/languages/packs/en')
  return new Map(
    readdirSync(folder).map((file) => [
      file.replace('.json', ''),
      Object.keys(JSON.parse(readFileSync(join(folder, file), 'utf8')) as object),
    ]),
  )
}

/** The groups of the texts that a source names, whole (`'trip.way'`) or by their beginning. */
function textsIn(source: string, english: Map<string, string[]>): string[] {
  return [...source.matchAll(/['"`](\w+)\.(\w*)(['"`]|\$\{)/g)].flatMap(([, group = '', start = '', end]) => {
    const isBeginning = end === '${' || start === '' || start.endsWith('_')
    const fits = (key: string) =>
      isBeginning ? key.startsWith(start) : key === start || key.replace(/_\w+$/, '') === start
    return english.get(group)?.some(fits) ? [group] : []
  })
}

function resolve(from: string, specifier: string | undefined): string[] {
  if (!specifier) return []
  const own = /^@hansom\/(domain|contract)\/(.+)$/.exec(specifier)
  const file = own ? join(packages, own[1] ?? '', 'src', `${own[2]}.ts`) : join(dirname(from), specifier)
  return (own || specifier.startsWith('.')) && /\.tsx?$/.test(file) && existsSync(file) ? [file] : []
}

/** The rows of the table of screens. */
function readPages(): Page[] {
  const source = readFileSync(screensFile, 'utf8')
  const parts = new Map(
    [...readFileSync(partsFile, 'utf8').matchAll(/const (\w+) = part\([^']*import\('([^']+)'\)/g)].map(
      ([, name = '', specifier]) => [name, specifier],
    ),
  )
  const rows = source
    .slice(source.indexOf('export const screens'))
    .split(/\n {4}path: /)
    .slice(1)
  return rows.map((row) => {
    const one = (pattern: RegExp) => pattern.exec(row)?.[1] ?? ''
    const file = (specifier: string | undefined) => join(dirname(screensFile), specifier ?? '')
    return {
      path: one(/^'([^']+)'/),
      shell: one(/shell: '(\w+)'/),
      file: file(one(/load: [^']*import\('([^']+)'/)),
      forRole: Object.fromEntries(
        [...one(/forRole: \{([^}]*)\}/).matchAll(/(\w+): (\w+)/g)].map(([, role, part = '']) => [
          role,
          file(parts.get(part)),
        ]),
      ),
      names: [...row.matchAll(/(?:title|label|fleetadmin|admin|driver|rider): '(\w+\.\w+)'/g)].map(
        ([, key = '']) => key,
      ),
    }
  })
}

const mapValues = <Value, Result>(of: Record<string, Value>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]))
