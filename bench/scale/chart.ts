/** Bars of one chart: each row has a value for each part, whose bars are put end to end. */
export interface BarChart {
  title: string
  unit: string
  parts: readonly string[]
  rows: readonly { label: string; values: readonly number[] }[]
}

const width = 720
const [left, right, top, rowHeight, barHeight] = [190, 84, 92, 38, 22]
const fonts = 'system-ui, -apple-system, "Segoe UI", sans-serif'

/** With a background of its own, since an image cannot know the page's; the colors follow the reader's system. */
const style = `
:root { color-scheme: light dark; }
text { fill: #1d2127; font: 14px ${fonts}; }
.title { font-size: 17px; font-weight: 600; }
.soft { fill: #5b6573; font-size: 13px; }
.value { paint-order: stroke; stroke: #fff; stroke-linejoin: round; stroke-width: 8px; }
.paper { fill: #fff; stroke: #d9dee5; }
.grid { stroke: #d9dee5; }
.part0 { fill: #1f6feb; } .part1 { fill: #d9822b; } .part2 { fill: #5f8f6b; }
@media (prefers-color-scheme: dark) {
  text { fill: #e7eaee; }
  .soft { fill: #9aa4b2; }
  .value { stroke: #14171b; }
  .paper { fill: #14171b; stroke: #333a44; }
  .grid { stroke: #333a44; }
  .part0 { fill: #6ea8fe; } .part1 { fill: #e8a15a; } .part2 { fill: #8fbf9b; }
}`

/** Draws the chart as an SVG file that needs nothing from outside. */
export function drawBars({ title, unit, parts, rows }: BarChart): string {
  const sums = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const step = niceStep((Math.max(...sums) || 1) / 4)
  const most = Math.ceil((Math.max(...sums) || 1) / step) * step
  const height = top + rows.length * rowHeight + 40
  const x = (value: number) => round(left + (value / most) * (width - left - right))
  const ticks = Array.from({ length: Math.round(most / step) + 1 }, (_, index) => index * step)
  const bottom = top + rows.length * rowHeight
  const grid = ticks.map(
    (tick) =>
      `<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="${top - 6}" y2="${bottom}"/>` +
      `<text class="soft" x="${x(tick)}" y="${bottom + 20}" text-anchor="middle">${written(tick)}</text>`,
  )
  const bars = rows.map(({ label, values }, index) => {
    const y = top + index * rowHeight + (rowHeight - barHeight) / 2
    let before = 0
    const pieces = values.map((value, part) => {
      const [from, to] = [x(before), x((before += value))]
      return `<rect class="part${part}" x="${from}" y="${y}" width="${round(to - from)}" height="${barHeight}"/>`
    })
    const middle = y + barHeight / 2 + 5
    const sum = sums[index] ?? 0
    return `<text x="${left - 12}" y="${middle}" text-anchor="end">${escaped(label)}</text>${pieces.join('')}<text class="value" x="${x(sum) + 8}" y="${middle}">${written(sum)}</text>`
  })
  const legend = parts.length > 1 ? legendOf(parts) : ''
  const summary = rows.map(({ label }, index) => `${label}: ${written(sums[index] ?? 0)}`).join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(`${title}, ${unit}. ${summary}`)}">
<style>${style}
</style>
<rect class="paper" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
<text class="title" x="20" y="32">${escaped(title)}</text>
<text class="soft" x="20" y="53">${escaped(unit)}</text>
${[legend, ...grid, ...bars].filter(Boolean).join('\n')}
</svg>
`
}

/** Beside the title, ending at the right edge. */
function legendOf(parts: readonly string[]): string {
  const letterWidth = 7.6
  let end = width - 20
  return parts
    .map((part, index) => ({ part, index }))
    .reverse()
    .map(({ part, index }) => {
      const start = round(end - part.length * letterWidth)
      end = start - 36
      return `<rect class="part${index}" x="${start - 18}" y="43" width="12" height="12" rx="2"/><text class="soft" x="${start}" y="53">${escaped(part)}</text>`
    })
    .join('')
}

/** 1, 2 or 5 times a power of ten, at least `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power
}

/** A number as people read it: three digits, thousands apart. */
export const written = (value: number): string =>
  value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })

const round = (value: number) => Math.round(value * 10) / 10

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
