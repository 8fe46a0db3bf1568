import type { Locator } from 'playwright-core'

const shown = /^([-−]?)\s?\$\s?([\d.,]*\d)$/

/** The first amount in a text, such as "$1,234.50" or "-$20", without its sign. */
export function amountIn(text: string): number {
  const [, digits] = /\$\s?([\d.,]*\d)/.exec(text) ?? []
  if (!digits) throw new Error(`No amount in ${JSON.stringify(text)}`)
  return Number(digits.replaceAll(',', ''))
}

/** The amounts of a description list by their terms, in order. */
export async function amountsIn(part: Locator): Promise<Map<string, number>> {
  const terms = await part.getByRole('term').allInnerTexts()
  const values = await part.getByRole('definition').allInnerTexts()
  const lines = terms.map((term, at) => [term.trim(), shown.exec((values[at] ?? '').trim())] as const)
  return new Map(
    lines.flatMap(([term, found]) =>
      found ? [[term, Number(found[2]?.replaceAll(',', '')) * (found[1] ? -1 : 1)] as const] : [],
    ),
  )
}
