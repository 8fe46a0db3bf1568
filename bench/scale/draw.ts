import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ScaleFigures, scaleParts } from './figures.ts'
import { chartsOf, fillPage } from './page.ts'

const folder = new URL('../../docs/scale/', import.meta.url)
export const pageFile = fileURLToPath(new URL('../scale.md', folder))
export const figuresFile = fileURLToPath(new URL('figures.json', folder))
export const chartFile = (name: string): string => fileURLToPath(new URL(name, folder))

export const readFigures = (): ScaleFigures => JSON.parse(readFileSync(figuresFile, 'utf8'))

/** Writes the figures, and, when no part is missing, the charts and the tables of docs/scale.md. */
export function writeScale(figures: Partial<ScaleFigures>): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(figuresFile, `${JSON.stringify(figures, null, 2)}\n`)
  if (!isComplete(figures)) return
  for (const [name, svg] of chartsOf(figures)) writeFileSync(chartFile(name), svg)
  writeFileSync(pageFile, fillPage(readFileSync(pageFile, 'utf8'), figures))
}

const isComplete = (figures: Partial<ScaleFigures>): figures is ScaleFigures =>
  scaleParts.every((part) => figures[part] !== undefined)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeScale(readFigures())
