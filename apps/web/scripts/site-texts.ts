import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = fileURLToPath(new URL('..', import.meta.url))
const packages = fileURLToPath(new URL('../../../packages/', import.meta.url))
const screensFile = join(web, 'src/app/screens.ts')
const partsFile = join(web, 'src/app/role-parts.ts')
const frameFile = join(web, 'src/app/shells/app-shell.tsx')
const entryFile = join(web, 'src/main.tsx')
const offlineFile = join(web, 'src/app/keep-offline.ts')

/** Parts of pages that only delivery installations load. */
const deliveryFiles = [join(web, 'src/features/bookings/trip/delivery-stops.tsx')]

/** Parts that load their texts when they are opened, by name. */
const onDemandFiles = {
  notifications: join(web, 'src/app/shells/notification-list.tsx'),
  safety: join(web, 'src/entities/safety/safety-panel.tsx'),
  contacts: join(web, 'src/entities/safety/trusted-contacts.tsx'),
  shareContacts: join(web, 'src/entities/safety/share-with-contacts.tsx'),
  alarms: join(web, 'src/entities/safety/alarm-banner.tsx'),
  chat: join(web, 'src/features/chats/chat-sheet.tsx'),
  readChat: join(web, 'src/features/chats/read-chat.tsx'),
  push: join(web, 'src/entities/devices/push-card.tsx'),
  unsent: join(web, 'src/entities/users/unsent-dialog.tsx'),
  offline: join(web, 'src/app/offline-page.tsx'),
}

/** Text groups that no code names because their keys come from the server. */
const namedByServer: Record<string, string[]> = {
  [onDemandFiles.notifications]: ['notify', 'alert'],
  [join(web, 'src/features/bookings/trip/timeline.tsx')]: ['notify'],
}

/** Same as in domain/users/roles; this script runs before it can import TypeScript from other packages. */
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
 * Finds the text groups each page uses by scanning its module and all its imports, static and dynamic, except parts for
 * other roles. `modules` lists the modules each page needs immediately.
 */
export function readSiteTexts() {
  const english = englishKeys()
  const modules = new Map<string, Module>()
  const parts = readParts()
  const pages = readPages(parts)
  const frameParts = forRoleIn(parts.source, /const shellForRole[^=]*= \{([^}]*)\}/, parts)
  // Parts for one role count for that role only. The screen table and the offline part are stops because they load pages,
  // which load their own texts.
  const forOneRole = [frameParts, ...pages.map(({ forRole }) => forRole)].flatMap(Object.values<string>)
  const laterFiles = Object.values(onDemandFiles)
  const stops = new Set([screensFile, offlineFile, frameFile, ...forOneRole, ...deliveryFiles, ...laterFiles])
  const deliveryEnds = new Set([...stops].filter((file) => !deliveryFiles.includes(file)))

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
  const textsFrom = (files: string[], without: ReadonlySet<string> = new Set(), ends = stops) => {
    const seen = new Set<string>()
    const texts = new Set<string>()
    const visit = (file: string, isStart: boolean) => {
      if (seen.has(file) || (!isStart && ends.has(file))) return
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
  /** The modules that only a role loads: its part of the page and, if the page is framed, of the frame. */
  const filesOfRole = (role: string, { shell, forRole }: Page) =>
    [
      ...(shell === 'home' ? [frameFile] : []),
      ...(shell === 'public' ? [] : [frameParts[role]]),
      forRole[role],
    ].filter((file) => file !== undefined)
  return {
    texts: {
      everywhere,
      frame,
      onDemand: mapValues(onDemandFiles, (part) => textsFrom([part], common)),
      frameForRole: mapValues(frameParts, (part) => textsFrom([part], new Set([...common, ...frame]))),
      pages: Object.fromEntries(
        pages.map(({ path, shell, file, forRole, names }) => {
          const texts = textsFrom([file], common)
          return [
            path,
            {
              texts,
              forRole: mapValues(forRole, (part) => textsFrom([part], common)),
              ofDeliveries: textsFrom([file], new Set([...common, ...texts]), deliveryEnds),
              framed: shell !== 'public',
              names,
            },
          ]
        }),
      ),
    },
    modules: Object.fromEntries(
      pages.map((page) => [
        page.path,
        {
          all: [...(page.shell === 'app' ? [name(frameFile)] : []), name(page.file)],
          forRole: Object.fromEntries(roles.map((role) => [role, filesOfRole(role, page).map(name)])),
        },
      ]),
    ),
  }
}

/** All English keys, by group. */
function englishKeys(): Map<string, string[]> {
  const folder = join(packages, 'domain/src/languages/packs/en')
  return new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => [
        file.replace('.json', ''),
        Object.keys(JSON.parse(readFileSync(join(folder, file), 'utf8')) as object),
      ]),
  )
}

/** Groups of the texts a source file names, by full key (`'trip.route'`) or by prefix. */
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

interface Parts {
  source: string
  /** The file of each part for one role. */
  files: Map<string, string>
}

function readParts(): Parts {
  const source = readFileSync(partsFile, 'utf8')
  const found = source.matchAll(/const (\w+) = part\([^']*import\('([^']+)'\)/g)
  return { source, files: new Map([...found].map(([, name = '', specifier]) => [name, fileOf(specifier)])) }
}

/** Screens and parts are declared in the same folder. */
const fileOf = (specifier = '') => join(dirname(screensFile), specifier)

/** Reads `{ admin: SomePart }` as role and file. */
function forRoleIn(source: string, pattern: RegExp, { files }: Parts): Record<string, string> {
  const entries = pattern.exec(source)?.[1] ?? ''
  return Object.fromEntries(
    [...entries.matchAll(/(\w+): (\w+)/g)].map(([, role, part = '']) => [role, files.get(part) ?? '']),
  )
}

/** Reads the rows of the screen table. */
function readPages(parts: Parts): Page[] {
  const source = readFileSync(screensFile, 'utf8')
  const publicPaths = /const publicScreens = \[([^\]]*)\]/.exec(source)?.[1] ?? ''
  const shellOf = (path: string) =>
    path === '/' ? 'home' : publicPaths.includes(`'${path}'`) ? 'public' : 'app'
  const rows = source
    .slice(source.indexOf('export const screens'))
    .split(/\n {4}path: /)
    .slice(1)
  return rows.map((row) => {
    const one = (pattern: RegExp) => pattern.exec(row)?.[1] ?? ''
    const path = one(/^'([^']+)'/)
    return {
      path,
      shell: shellOf(path),
      file: fileOf(one(/load: [^']*import\('([^']+)'/)),
      forRole: forRoleIn(row, /forRole: \{([^}]*)\}/, parts),
      names: [...row.matchAll(/(?:title|label|fleetadmin|admin|driver|rider): '(\w+\.\w+)'/g)].map(
        ([, key = '']) => key,
      ),
    }
  })
}

const mapValues = <Value, Result>(of: Record<string, Value>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]))
