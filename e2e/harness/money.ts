import type { Locator } from 'playwright-core'

/** The number in an amount as it is shown, "$ 1,234.50" or "-$ 20". */
export function amountIn(text: string): number {
  const digits = /[\d.,]+/.exec(text)?.[0].replaceAll(',', '')
  if (!digits) throw new Error(`No amount in ${JSON.stringify(text)}`)
  return Number(digits) * (/[-−]/.test(text) ? -1 : 1)
}

/** The lines of a list of terms and amounts, in their order. */
export async function amountsIn(list: Locator): Promise<Map<string, number>> {
  const terms = await list.getByRole('term').allInnerTexts()
  const amounts = await list.getByRole('definition').allInnerTexts()
  return new Map(terms.map((term, at) => [term.trim(), amountIn(amounts[at] ?? '')]))
}
