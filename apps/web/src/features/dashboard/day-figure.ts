/** What the picture of the last thirty days shows. */
export const dayFigures = ['earnings', 'trips'] as const
export type DayFigure = (typeof dayFigures)[number]
