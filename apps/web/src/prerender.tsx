import type { LanguagePack } from '@hansom/contract/languages'
import { flattenPack, shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { type Category, categories, defaultSettings } from '@hansom/domain/settings/settings'
import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { App } from './app/app.tsx'
import { createAppRouter } from './app/router.tsx'
import { startPage } from './app/start-page.ts'

const groups = import.meta.glob<Record<string, string>>(
  '../../../packages/domain/src/languages/packs/**/*.json',
  { eager: true, import: 'default' },
)

/** The texts of a folder below `packs`, such as `en` or `en/delivery`. */
function textsIn(folder: string): Record<string, string> {
  const files = Object.entries(groups).flatMap(([path, texts]) => {
    const match = path.match(/packs\/(.+)\/([^/]+)\.json$/)
    return match?.[1] === folder && match[2] ? [[match[2], texts] as const] : []
  })
  return flattenPack(Object.fromEntries(files))
}

function packOf(locale: string, category: Category): LanguagePack {
  const language = shippedLanguages.find(({ langLocale }) => langLocale === locale)
  if (!language) throw new Error(`no language ${locale}`)
  const differing = category === 'taxi' ? {} : textsIn(`${locale}/${category}`)
  return { ...language, keyValuePairs: { ...textsIn(locale), ...differing } }
}

/** The languages and categories with a prerendered landing page. */
export const prerendered = categories.flatMap((category) =>
  shippedLanguages.map(({ langLocale, direction }) => ({ category, langLocale, direction })),
)

/** The visitors' landing page as HTML; the server replaces `%APP_NAME%` with the app's name. */
export async function renderLanding(locale: string, category: Category): Promise<string> {
  const { center, bounds } = {
    center: { lat: 0, lng: 0 },
    bounds: [0, 0, 0, 0] as [number, number, number, number],
  }
  startPage({
    settings: {
      ...defaultSettings,
      category,
      appName: '%APP_NAME%',
      CompanyName: '%APP_NAME%',
      region: { name: '', center, bounds, attribution: '', countries: [] },
      demo: false,
      cardAvailable: false,
      mapServices: [],
      callService: null,
      baseMap: null,
      version: 0,
    },
    languages: shippedLanguages.map((language) => ({ ...language })),
    pack: packOf(locale, category),
    texts: null,
  })
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/'] }))
  await router.load()
  return renderToString(<App router={router} />)
}
