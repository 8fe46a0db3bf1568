/** The vector source of the base map in the style. */
export const citySource = 'city'
