/** Largest width of a small phone, a phone, a tablet and a narrow desktop window, px. */
const steps = [480, 640, 860, 1080]
const pxPerRem = 16

/**
 * Checks that media queries for a width use one of the four breakpoints: `max-width` of a step, or `min-width` of the
 * pixel after it. In rem where large text needs the space as soon as a narrow window does.
 *
 * @param {Map<string, string>} sources Style sheets and web sources, by path.
 */
export function checkBreakpoints(sources) {
  let queries = 0
  /** @type {string[]} */
  const problems = []
  for (const [file, text] of sources) {
    for (const [query, end, amount, unit] of text.matchAll(/\((min|max)-width:\s*([\d.]+)(px|r?em)\)/g)) {
      queries += 1
      const px = Number(amount) * (unit === 'px' ? 1 : pxPerRem)
      if (!steps.includes(end === 'min' ? px - 1 : px))
        problems.push(`${file}: ${query} is not a breakpoint (${steps.join(', ')} px)`)
    }
    for (const [query] of text.matchAll(/@media[^{;]*\bwidth\s*[<>=][^{]*/g))
      problems.push(`${file}: write ${query.trim()} with min-width or max-width`)
  }
  return { queries, problems }
}
