/** A value of the gateway's XML: text, a list of named values, or an object. */
export type XmlValue = string | number | boolean | null | { [name: string]: XmlValue } | XmlList

export interface XmlList {
  type: 'array' | 'collection'
  /** Element name of the entries. */
  name: string
  items: XmlValue[]
  /** Sibling elements of a collection's entries. */
  siblings?: Record<string, XmlValue>
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const isList = (value: object): value is XmlList => 'items' in value && Array.isArray(value.items)

/** One element in the gateway's format: dashed names, types as attributes. */
export function xml(name: string, value: XmlValue): string {
  if (value === null) return `<${name} nil="true"/>`
  if (typeof value === 'boolean') return `<${name} type="boolean">${value}</${name}>`
  if (typeof value === 'number') return `<${name} type="integer">${value}</${name}>`
  if (typeof value === 'string') return `<${name}>${escaped(value)}</${name}>`
  if (!isList(value)) {
    const parts = Object.entries(value).map(([part, one]) => xml(part, one))
    return `<${name}>${parts.join('')}</${name}>`
  }
  const beside = Object.entries(value.siblings ?? {}).map(([part, one]) => xml(part, one))
  const items = value.items.map((item) => xml(value.name, item))
  return `<${name} type="${value.type}">${[...beside, ...items].join('')}</${name}>`
}
