/** The base map's vector source in the style. */
export const citySource = 'city'
