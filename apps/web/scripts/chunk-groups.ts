import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../src/', import.meta.url))

/** The library's entry imports every icon, so it is not followed: a bundle gets the icons that its modules name. */
const iconEntry = /@tabler\/icons-react\/dist\/esm\/tabler-icons-react\.mjs$/
const iconNames = /import \{([^}]*)\} from '@tabler\/icons-react'/g

interface Context {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** Modules bundled together: the static imports of these files that no earlier bundle contains. */
const bundles: [name: string, files: string[]][] = [
  ['start', ['app/begin.tsx', 'app/landing-page.tsx']],
  ['frame', ['app/shells/app-shell.tsx']],
  ['admin', ['app/shells/admin-shell.tsx']],
  [
    'travel',
    [
      'app/trip-page.tsx',
      'app/bookings-page.tsx',
      'app/rider-bookings.tsx',
      'features/driver/driver-console.tsx',
    ],
  ],
]

/** The entry's own imports; kept separate so that a slow phone evaluates them in a separate task. */
const base = /node_modules\/(react|react-dom|scheduler)\/|vite\/preload-helper/

/**
 * Groups modules into chunks. On a slow connection each extra file costs as much as 30 KB, so React, the front page,
 * the shell for signed-in users, and the rider and driver pages become four files instead of ninety.
 */
export function chunkGroups() {
  let named: Map<string, string> | undefined
  const nameOf = (id: string, context: Context) => {
    named ??= nameAll(context)
    return named.get(id)
  }
  const groups = bundles.map(([name], place) => ({
    name: (id: string, context: Context) => (nameOf(id, context) === name ? name : null),
    priority: bundles.length - place,
  }))
  return [
    { name: 'base', test: base, priority: bundles.length + 1 },
    ...groups,
    // Icons of other pages: one file instead of one for each icon that two pages share.
    { name: 'icons', test: /@tabler\/icons-react\//, priority: 0 },
  ]
}

function nameAll(context: Context): Map<string, string> {
  const named = new Map<string, string>()
  for (const [name, files] of bundles) {
    for (const file of files) {
      for (const id of closureOf(source + file, context)) {
        const before = named.get(id)
        if (before === undefined) named.set(id, name)
        // What both the admins' shell and the travel pages need is in the frame, which both load.
        else if (before === 'admin' && name === 'travel') named.set(id, 'frame')
      }
    }
  }
  return named
}

/** Returns a module and all its static imports, transitively. */
function closureOf(root: string, context: Context): Set<string> {
  const found = new Set<string>()
  const visit = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    for (const next of context.getModuleInfo(id)?.importedIds ?? [])
      for (const followed of iconEntry.test(next) ? iconsIn(id, next) : [next]) visit(followed)
  }
  visit(root)
  return found
}

/** The modules of the icons that a source file imports. */
function iconsIn(id: string, entry: string): string[] {
  const imports = [...readFileSync(id, 'utf8').matchAll(iconNames)].flatMap(([, names = '']) =>
    names.split(','),
  )
  return imports
    .map((name) => name.trim())
    .filter((name) => name.startsWith('Icon'))
    .map((name) => join(dirname(entry), 'icons', `${name}.mjs`))
}
