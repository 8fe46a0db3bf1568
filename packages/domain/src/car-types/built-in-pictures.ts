/** Built-in car pictures: URL paths on this site. */
export const builtInPictures = [
  '/cars/economy.svg',
  '/cars/comfort.svg',
  '/cars/electric.svg',
  '/cars/van.svg',
  '/cars/moto.svg',
] as const

export function isBuiltInPicture(address: string): boolean {
  return (builtInPictures as readonly string[]).includes(address)
}
