import { mayOpen, type ScreenPath } from '../access/screens.ts'
import type { Role } from '../users/roles.ts'
import type { Texts } from './plural-keys.ts'

/** Texts by the names of their groups (`trip`) and by single keys (`wallet.title`). */
export type TextNames = readonly string[]

/** What one page says. */
export interface PageTexts {
  texts: TextNames
  /** What a part of it says that one role alone sees. */
  forRole: Partial<Record<Role, TextNames>>
  /** It stands in the frame of signed-in people, whose menu names the other pages. */
  framed: boolean
  /** The keys of its own name and of its entry in the menu. */
  names: TextNames
}

/** What the pages say; made from their code when the web application is built. */
export interface SiteTexts {
  /** On every page, also on one that does not exist. */
  everywhere: TextNames
  /** The frame of signed-in people. */
  frame: TextNames
  pages: Partial<Record<ScreenPath, PageTexts>>
}

/** The texts of the frame around signed-in pages: its own, and the names of the pages in the menu. */
export function frameTextsOf({ frame, pages }: SiteTexts, usertype: Role): string[] {
  const names = Object.entries(pages).flatMap(([path, page]) =>
    mayOpen(path, usertype) ? (page.names ?? []) : [],
  )
  return [...frame, ...names]
}

/** The texts a page needs for somebody of this user type (null: signed out), each once. */
export function textsOf(
  { everywhere, frame, pages }: SiteTexts,
  path: ScreenPath | null,
  usertype: Role | null,
): string[] {
  const page = path === null ? undefined : pages[path]
  const wanted = new Set([...everywhere, ...(page?.texts ?? []), ...(page?.names ?? [])])
  const add = (names: TextNames = []) => names.forEach((name) => wanted.add(name))
  if (usertype !== null) add(page?.forRole[usertype])
  if (page?.framed && usertype !== null) add(frameTextsOf({ everywhere, frame, pages }, usertype))
  return [...wanted].filter((name) => !name.includes('.') || !wanted.has(groupOf(name))).sort()
}

/** The group a key belongs to. */
export const groupOf = (key: string): string => key.split('.', 1)[0] ?? key

/** Of some texts those that are named. */
export function pickTexts(texts: Texts, names: TextNames): Record<string, string> {
  const wanted = new Set(names)
  return Object.fromEntries(
    Object.entries(texts).filter(([key]) => wanted.has(groupOf(key)) || wanted.has(key)),
  )
}
