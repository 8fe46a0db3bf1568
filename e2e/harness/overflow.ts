import type { Page } from 'playwright-core'

/**
 * Texts of the current page that are cut, leave their box or the window, or overlap: the fault, the text and its element.
 * Two things are intended: anything that scrolls, and an ellipsis or a limit of lines in the CSS, except in table headers. An
 * ellipsis counts only for the lines of its own box, not for those of a block within, and only where the whole text is to be
 * had: in a tooltip, or behind a click.
 */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Box {
      left: number
      right: number
      top: number
      bottom: number
    }
    interface Shown extends Box {
      element: Element
      layer: Element | null
      text: string
    }
    /** Layout rounds to fractions of a pixel. */
    const slack = 1.5
    const wrong = new Set<string>()
    const all: Shown[] = []
    const canvas = document.createElement('canvas').getContext('2d')

    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}${[...element.classList].map((one) => `.${one}`).join('')}`
    const note = (fault: string, text: string, element: Element) =>
      wrong.add(`${fault}: “${text.slice(0, 60)}” in ${nameOf(element)}`)

    /** The padding box, to which `overflow` clips. */
    const clipBox = (element: Element): Box => {
      const rect = element.getBoundingClientRect()
      const left = rect.left + element.clientLeft
      const top = rect.top + element.clientTop
      return { left, top, right: left + element.clientWidth, bottom: top + element.clientHeight }
    }

    /** How far the ink of the last line is below the bottom of its clipping box: marks of Hindi are below the font's box. */
    const inkBelow = (text: string, style: CSSStyleDeclaration, line: DOMRect, bottom: number) => {
      if (canvas === null) return 0
      canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
      const baseline = line.top + canvas.measureText('x').fontBoundingBoxAscent
      return baseline + canvas.measureText(text).actualBoundingBoxDescent - bottom
    }

    const hasEdgeOf = ({ backgroundColor, borderInlineStartWidth }: CSSStyleDeclaration) =>
      !/, 0\)$|^transparent$/.test(backgroundColor) || Number.parseFloat(borderInlineStartWidth) > 0

    const pressable = [...document.querySelectorAll('a[href], button')].map((one) =>
      one.getBoundingClientRect(),
    )
    /** The link or button of a card lies over its texts. */
    const isCovered = ({ left, top, bottom }: DOMRect) =>
      pressable.some((one) => one.left <= left && left < one.right && one.top <= top && bottom <= one.bottom)

    const inspect = (node: Node, element: Element) => {
      const text = (node.textContent ?? '').trim().replaceAll(/\s+/g, ' ')
      const range = document.createRange()
      range.selectNodeContents(node)
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0)
      const last = lines.at(-1)
      if (last === undefined) return
      const box: Box = {
        left: Math.min(...lines.map(({ left }) => left)),
        right: Math.max(...lines.map(({ right }) => right)),
        top: Math.min(...lines.map(({ top }) => top)),
        bottom: Math.max(...lines.map(({ bottom }) => bottom)),
      }
      const style = getComputedStyle(element)
      let scrollsX = false
      let scrollsY = false
      let layer: Element | null = null
      let isOwnBox = false
      let isOwnLine = true
      const isHeader = element.closest('th, [role="columnheader"]') !== null
      const isToBeHad =
        style.cursor === 'pointer' || element.closest('[title], [role="option"]') !== null || isCovered(last)
      for (let a: Element | null = element; a !== null && a !== document.body; a = a.parentElement) {
        const own = getComputedStyle(a)
        const clip = clipBox(a)
        const isInline = own.display === 'inline' || own.display === 'contents'
        // Hidden from view, for screen readers.
        if (!isInline && (clip.right - clip.left <= 1 || own.clipPath === 'inset(50%)')) return
        // What is scrolled out of sight overlaps nothing.
        if (!isInline && !scrollsX && /auto|scroll/.test(own.overflowX)) {
          scrollsX = true
          ;[box.left, box.right] = [Math.max(box.left, clip.left), Math.min(box.right, clip.right)]
        }
        if (!isInline && !scrollsY && /auto|scroll/.test(own.overflowY)) {
          scrollsY = true
          ;[box.top, box.bottom] = [Math.max(box.top, clip.top), Math.min(box.bottom, clip.bottom)]
        }
        const isLimited = own.webkitLineClamp !== 'none'
        const isShortened = (isLimited || (own.textOverflow === 'ellipsis' && isOwnLine)) && isToBeHad
        if (!isInline && !scrollsX && /hidden|clip/.test(own.overflowX)) {
          const isCut = box.left < clip.left - slack || box.right > clip.right + slack
          if (isCut && (!isShortened || isHeader)) note('cut at the side', text, element)
          if (isCut) [box.left, box.right] = [Math.max(box.left, clip.left), Math.min(box.right, clip.right)]
        }
        if (!isInline && !scrollsY && /hidden|clip/.test(own.overflowY)) {
          const isCut = box.top < clip.top - slack || box.bottom > clip.bottom + slack
          // A line box may be taller than the letters: only ink counts.
          const below = inkBelow(text, style, last, clip.bottom)
          if (
            !isShortened &&
            ((isCut && box.bottom - clip.bottom > last.height / 3) || box.top < clip.top - last.height / 3)
          )
            note('cut at the top or bottom', text, element)
          else if (lines.length === 1 && below > slack) note('marks are cut', text, element)
          if (isCut) [box.top, box.bottom] = [Math.max(box.top, clip.top), Math.min(box.bottom, clip.bottom)]
        }
        isOwnLine &&= isInline
        const hasEdge = hasEdgeOf(own)
        const edge = a.getBoundingClientRect()
        const leaves = box.left < edge.left - slack || box.right > edge.right + slack
        if (!isInline && !scrollsX && hasEdge && leaves && !isOwnBox) note('leaves its box', text, element)
        // The ends of a badge are to be seen, too.
        if (a === element && own.display === 'inline-block' && hasEdge) {
          ;[box.left, box.right] = [Math.min(box.left, edge.left), Math.max(box.right, edge.right)]
        }
        if (/fixed|absolute|sticky/.test(own.position)) {
          layer ??= a
          // A label beside a marker may leave the marker.
          isOwnBox ||= hasEdge && own.position === 'absolute'
          if (own.position === 'fixed') break
        }
      }
      if (box.right - box.left < 1 || box.bottom - box.top < 1) return
      const isPartlyOut = box.left < -slack || box.right > innerWidth + slack
      // Entirely outside is a part that comes in later, such as a link to skip the menu.
      if (!scrollsX && isPartlyOut && box.right > 0 && box.left < innerWidth)
        note('outside the window', text, element)
      for (const { left, right, top, bottom } of lines) {
        const shown = {
          left: Math.max(left, box.left),
          right: Math.min(right, box.right),
          top: Math.max(top, box.top),
          bottom: Math.min(bottom, box.bottom),
        }
        if (shown.right - shown.left > 1) all.push({ ...shown, element, layer, text })
      }
    }

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      if (element === null || !node.textContent?.trim()) continue
      if (element.closest('script, style, svg, option, [inert], canvas') !== null) continue
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      inspect(node, element)
    }

    all.sort((one, other) => one.top - other.top)
    for (const [index, one] of all.entries()) {
      for (const other of all.slice(index + 1)) {
        if (other.top >= one.bottom) break
        if (one.element === other.element || one.layer !== other.layer) continue
        const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
        const height = Math.min(one.bottom, other.bottom) - other.top
        const least = Math.min(one.bottom - one.top, other.bottom - other.top)
        if (width > 3 && height > least / 2)
          note(`overlaps “${other.text.slice(0, 40)}”`, one.text, one.element)
      }
    }
    const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (sideways > 0) wrong.add(`the page scrolls ${sideways} px sideways`)
    return [...wrong]
  })
}

/**
 * The faults of a page that a change of size or a late picture does not explain: those found each time within half a
 * second. Charts and drawers follow the window some frames later.
 */
export async function lastingOverflow(page: Page): Promise<string[]> {
  let faults = await findOverflow(page)
  for (let look = 0; look < 5 && faults.length > 0; look += 1) {
    await page.waitForTimeout(100)
    const again = new Set(await findOverflow(page))
    faults = faults.filter((fault) => again.has(fault))
  }
  return faults
}

/** Waits for the fonts of the page's language, including the one that pages load on demand. */
export async function fontsReady(page: Page, locale: string): Promise<void> {
  const family = { hi: 'Noto Sans Devanagari', 'zh-CN': 'Noto Sans SC' }[locale]
  await page.waitForFunction(
    (wanted) =>
      wanted === undefined ||
      [...document.fonts].some((font) => font.family.includes(wanted) && font.status === 'loaded'),
    family,
  )
  await page.evaluate(() => document.fonts.ready.then(() => {}))
}
