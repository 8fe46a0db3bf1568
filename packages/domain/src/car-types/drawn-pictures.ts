/** Built-in car pictures: URL paths on this site. */
export const drawnPictures = [
  '/cars/economy.svg',
  '/cars/comfort.svg',
  '/cars/electric.svg',
  '/cars/van.svg',
  '/cars/moto.svg',
] as const

export function isDrawnPicture(address: string): boolean {
  return (drawnPictures as readonly string[]).includes(address)
}
