import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../src/', import.meta.url))

interface Context {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** Modules that belong together: all that some files import at once and that no earlier one has. */
const bundles: [name: string, files: string[]][] = [
  ['start', ['app/begin.tsx', 'app/landing-page.tsx']],
  ['frame', ['app/shells/app-shell.tsx']],
  ['travel', ['app/trip-page.tsx', 'app/bookings-page.tsx', 'features/driver/driver-console.tsx']],
]

/** What the entry itself imports: a slow phone evaluates it apart from the rest. */
const base = /node_modules\/(react|react-dom|scheduler)\/|vite\/preload-helper/

/**
 * The files that modules are joined to. On a poor line every file costs as much as 30 KB: React, the first page, the frame of
 * signed-in people, and the pages of riders and drivers are four files, not ninety.
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
  return [{ name: 'base', test: base, priority: bundles.length + 1 }, ...groups]
}

function nameAll(context: Context): Map<string, string> {
  const named = new Map<string, string>()
  for (const [name, files] of bundles) {
    for (const file of files) {
      for (const id of closureOf(source + file, context)) if (!named.has(id)) named.set(id, name)
    }
  }
  return named
}

/** A module and all that it imports at once. */
function closureOf(root: string, context: Context): Set<string> {
  const found = new Set<string>()
  const visit = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) visit(next)
  }
  visit(root)
  return found
}
