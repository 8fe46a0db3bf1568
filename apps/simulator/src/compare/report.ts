import type { CitySize } from './demand.ts'
import { type FigureName, figureNames, interval, leastRuns } from './figures.ts'

/** A strategy's figures, one of each seed. */
export interface Compared {
  name: string
  figures: Record<FigureName, number[]>
}

/** How a figure is written. `less` means that less is better. */
const shown: Record<FigureName, { title: string; unit: string; digits: number; less: boolean }> = {
  waitMean: { title: 'Waiting time, mean', unit: 'min', digits: 1, less: true },
  waitP90: { title: 'Waiting time, 90th percentile', unit: 'min', digits: 1, less: true },
  emptyKm: { title: 'Empty kilometers per trip', unit: 'km', digits: 2, less: true },
  served: { title: 'Riders served', unit: '%', digits: 1, less: false },
  gini: { title: 'Spread of incomes (Gini)', unit: '', digits: 3, less: true },
}

/** A mean with its 95 % interval, such as `10.7 ± 0.3`; the mean alone where there is none. */
export function written(name: FigureName, values: readonly number[]): string {
  const { mean, half } = interval(values)
  const { digits } = shown[name]
  return Number.isFinite(half) ? `${mean.toFixed(digits)} ± ${half.toFixed(digits)}` : mean.toFixed(digits)
}

/** What the figures are. */
export function meaning(runs: number): string {
  if (runs >= leastRuns)
    return `The figures are the means of ${runs} runs and their 95 % confidence intervals.`
  const figures = runs === 1 ? 'those of a single run' : `the means of ${runs} runs`
  return `The figures are ${figures}; confidence intervals need at least ${leastRuns} seeds.`
}

/** The figures as a Markdown table. */
export function markdown(all: readonly Compared[]): string {
  const titles = figureNames.map((name) => [shown[name].title, shown[name].unit].filter(Boolean).join(', '))
  const rows = all.map(({ name, figures }) => [name, ...figureNames.map((one) => written(one, figures[one]))])
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(['Strategy', ...titles]), line(['---', ...titles.map(() => '---:')]), ...rows.map(line)].join(
    '\n',
  )
}

const style = `
:root { color-scheme: light dark; --ink: #1d2127; --soft: #667080; --line: #d9dee5; --paper: #fff; --mark: #1f6feb; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7eaee; --soft: #9aa4b2; --line: #333a44; --paper: #14171b; --mark: #6ea8fe; }
}
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem;
  padding: 2rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.125rem; margin: 2.5rem 0 .25rem; }
p { color: var(--soft); margin: 0 0 1rem; max-width: 44rem; }
svg { display: block; height: auto; width: 100%; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .soft { fill: var(--soft); }
svg rect { fill: var(--paper); }
svg line { stroke: var(--line); }
svg .half { stroke: var(--mark); stroke-width: 2; }
svg circle { fill: var(--mark); }
.wide { overflow-x: auto; }
.charts { column-gap: 3rem; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .5rem .75rem .5rem 0; text-align: end; }
th:first-child, td:first-child { min-width: min(16rem, 34vw); text-align: start; white-space: normal; }
th { color: var(--soft); font-size: .8125rem; font-weight: 500; white-space: normal; vertical-align: bottom; }
`

/** The comparison as one page without outside resources. */
export function reportPage(all: readonly Compared[], { drivers, requests, hours }: CitySize): string {
  const seeds = all[0]?.figures.served.length ?? 0
  const head = figureNames.map((name) => `<th scope="col">${unitTitle(name)}</th>`).join('')
  const rows = all.map(
    ({ name, figures }) =>
      `<tr><td>${escaped(name)}</td>${figureNames.map((one) => `<td>${written(one, figures[one])}</td>`).join('')}</tr>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Dispatch strategies compared</title>
<style>${style}</style>
<h1>Dispatch strategies compared</h1>
<p>${drivers} drivers, ${hours} simulated hours, ${requests} requests an hour and ${2 * requests} in the middle third. Every strategy
gets the same riders, the same drivers and the same answers. ${meaning(seeds)}</p>
<div class="wide"><table><thead><tr><th scope="col">Strategy</th>${head}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>
<div class="charts">
${figureNames.map((name) => chart(name, all)).join('\n')}
</div>
</html>
`
}

const unitTitle = (name: FigureName) => [shown[name].title, shown[name].unit].filter(Boolean).join(', ')

/**
 * For each strategy its name, and below it the mean as a dot and its interval as a line, on an axis that fits the values;
 * it says so where that is not at zero.
 */
function chart(name: FigureName, all: readonly Compared[]): string {
  const intervals = all.map(({ figures }) => interval(figures[name]))
  const finite = intervals.map(({ mean, half }) => ({ mean, half: Number.isFinite(half) ? half : 0 }))
  const least = Math.min(...finite.map(({ mean, half }) => mean - half))
  const most = Math.max(...finite.map(({ mean, half }) => mean + half))
  const step = niceStep((most - least || 1) / 5)
  const [from, to] = [Math.floor(least / step) * step, Math.ceil(most / step) * step || step]
  const [side, rowHeight, width] = [16, 42, 400]
  const bottom = all.length * rowHeight
  const x = (value: number) => side + ((value - from) / (to - from || 1)) * (width - 2 * side)
  const ticks = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step)
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  const grid = ticks.map(
    (tick) =>
      `<line x1="${x(tick)}" x2="${x(tick)}" y1="0" y2="${bottom}"/><text class="soft" x="${x(tick)}" y="${bottom + 18}" text-anchor="middle">${tick.toFixed(digits)}</text>`,
  )
  const marks = all.map((one, index) => {
    const { mean, half } = finite[index] as { mean: number; half: number }
    const y = (index + 0.7) * rowHeight
    // The grid ends at the line of the texts.
    const clear = `<rect y="${index * rowHeight}" width="${width}" height="20"/>`
    const value = `<text x="${width}" y="${y - 14}" text-anchor="end">${written(name, one.figures[name])}</text>`
    return `${clear}<text x="0" y="${y - 14}">${escaped(one.name)}</text>${value}<line class="half" x1="${x(mean - half)}" x2="${x(mean + half)}" y1="${y}" y2="${y}"/><circle cx="${x(mean)}" cy="${y}" r="5"/>`
  })
  const label = all.map((one) => `${one.name} ${written(name, one.figures[name])}`).join('; ')
  return `<section>
<h2>${unitTitle(name)}</h2>
<p>${shown[name].less ? 'Less' : 'More'} is better.${from === 0 ? '' : ` The axis begins at ${from.toFixed(digits)}.`}</p>
<svg viewBox="0 0 ${width} ${bottom + 24}" role="img" aria-label="${escaped(label)}">${grid.join('')}${marks.join('')}</svg>
</section>`
}

/** 1, 2 or 5 times a power of ten, at least `width`. */
function niceStep(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width))
  return ([1, 2, 5].find((factor) => factor * power >= width) ?? 10) * power
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
