import { mayOpen, type ScreenPath } from '../access/screens.ts'
import type { Settings } from '../settings/settings.ts'
import type { Role } from '../users/roles.ts'
import type { Texts } from './plural-keys.ts'

/** Texts by group name (`trip`) and by single key (`wallet.title`). */
export type TextNames = readonly string[]

/** The texts of one page. */
export interface PageTexts {
  texts: TextNames
  /** Texts that only one role sees. */
  forRole: Partial<Record<Role, TextNames>>
  /** Texts of parts that only delivery installations load. */
  ofDeliveries?: TextNames
  /** The page has the signed-in frame, whose menu names the other pages. */
  framed: boolean
  /** The keys of the page's name and its menu entry. */
  names: TextNames
}

/** The texts of all pages, extracted from their code when the web application is built. */
export interface SiteTexts {
  /** Texts of every page, including the not-found page. */
  everywhere: TextNames
  /** Texts of the signed-in frame. */
  frame: TextNames
  /** Texts of the frame that only one role sees. */
  frameForRole: Partial<Record<Role, TextNames>>
  pages: Partial<Record<ScreenPath, PageTexts>>
  /** Texts of parts that load them when they are opened. */
  onDemand: Readonly<
    Record<
      | 'notifications'
      | 'push'
      | 'safety'
      | 'contacts'
      | 'shareContacts'
      | 'unsent'
      | 'alarms'
      | 'chat'
      | 'readChat'
      | 'offline',
      TextNames
    >
  >
}

/** The texts of the signed-in frame, including the names of the pages in the menu. */
export function frameTextsOf(
  { frame, frameForRole, pages }: SiteTexts,
  usertype: Role,
  category: Settings['category'],
): string[] {
  const names = Object.entries(pages).flatMap(([path, page]) =>
    mayOpen(path, usertype) ? (page.names ?? []) : [],
  )
  return inCategory([...frame, ...(frameForRole[usertype] ?? []), ...names], category)
}

/** Groups that only the pages of delivery installations show. */
const deliveryGroups: readonly string[] = ['courier', 'delivery', 'parcelForm', 'parcels', 'recipient']

/** The texts that installations of a category show. */
const inCategory = (names: TextNames, category: Settings['category']) =>
  names.filter((name) => category === 'delivery' || !deliveryGroups.includes(groupOf(name)))

/** The texts a page needs for this user type (null: signed out) in a category, without duplicates. */
export function textsOf(
  site: SiteTexts,
  path: ScreenPath | null,
  usertype: Role | null,
  category: Settings['category'],
): string[] {
  const { everywhere, pages } = site
  const page = path === null ? undefined : pages[path]
  const wanted = new Set([...everywhere, ...(page?.texts ?? []), ...(page?.names ?? [])])
  const add = (names: TextNames = []) => names.forEach((name) => wanted.add(name))
  if (usertype !== null) add(page?.forRole[usertype])
  if (category === 'delivery') add(page?.ofDeliveries)
  if (page?.framed && usertype !== null) add(frameTextsOf(site, usertype, category))
  return inCategory([...wanted], category)
    .filter((name) => !name.includes('.') || !wanted.has(groupOf(name)))
    .sort()
}

/** The group a key belongs to. */
export const groupOf = (key: string): string => key.split('.', 1)[0] ?? key

/** The named ones of some texts. */
export function pickTexts(texts: Texts, names: TextNames): Record<string, string> {
  const wanted = new Set(names)
  return Object.fromEntries(
    Object.entries(texts).filter(([key]) => wanted.has(groupOf(key)) || wanted.has(key)),
  )
}
