import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { flattenPack, type PackGroup } from '@hansom/domain/languages/shipped-languages'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { inject, it } from 'vitest'

/** The journeys of the project `delivery-e2e` run with deliveries instead of taxi trips. */
export const isDelivery = inject('category') === 'delivery'

/** A test of what only taxi trips do. */
export const taxiTest = it.skipIf(isDelivery)

/** Car types of the demo: that of the demo's driver, and a dearer one. */
export const [usualCar, dearerCar] = isDelivery ? ['Motorbike', 'Small van'] : ['Economy', 'Comfort']

/** Who receives the parcel of a delivery. */
export const recipient = { deliveryPerson: 'Ada Pérez', deliveryPersonPhone: '099 111 222' }

function readPack(folder: string): Record<string, string> {
  const path = fileURLToPath(
    new URL(`../../packages/domain/src/languages/packs/en/${folder}`, import.meta.url),
  )
  const files = readdirSync(path).filter((name) => name.endsWith('.json'))
  const groups = files.map((name) => [
    name.slice(0, -'.json'.length),
    JSON.parse(readFileSync(`${path}/${name}`, 'utf8')) as PackGroup,
  ])
  return flattenPack(Object.fromEntries(groups))
}

const taxi = readPack('')
const delivery = readPack('delivery')

const placeholder = /\{\{(\w+)\}\}/g
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The values of a text's placeholders in `read`, by name; null if `read` is another text. */
function valuesIn(text: string, read: string): Record<string, string> | null {
  const names = [...text.matchAll(placeholder)].map(([, name]) => name ?? '')
  const pattern = text
    .split(placeholder)
    .filter((_, at) => at % 2 === 0)
    .map(escaped)
    .join('(.+)')
  const found = new RegExp(`^${pattern}$`, 's').exec(read)
  return found && Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? '']))
}

/**
 * A text of the product as taxi installations show it, with its values filled in, in the words of the tested category.
 * `key` chooses among texts that read the same in taxi installations only. Throws for a text that the product has not.
 */
export function words(read: string, key?: TextKey): string {
  const keys = key ? [key] : Object.keys(taxi).filter((one) => taxi[one] === read)
  const texts = new Set(
    keys.flatMap((one) => {
      const values = valuesIn(taxi[one] ?? '', read)
      const text = (isDelivery ? delivery[one] : undefined) ?? taxi[one] ?? ''
      return values ? [text.replaceAll(placeholder, (all, name: string) => values[name] ?? all)] : []
    }),
  )
  const [text, ...others] = texts
  if (text === undefined) throw new Error(`no text of the product reads ${JSON.stringify(read)}`)
  if (others.length > 0) throw new Error(`${JSON.stringify(read)} is ${keys.join(', ')}: name one`)
  return text
}

/** The beginning of a text, up to its first value, which is written as `…`. Throws for a text that begins with a value. */
export function startOf(read: string, key: TextKey): string {
  const text = words(read, key)
  const [start] = text.split('…', 1)
  if (!start?.trim()) throw new Error(`${JSON.stringify(text)} begins with a value, and would match any text`)
  return start
}
