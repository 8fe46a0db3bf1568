import { strategies } from '@hansom/domain/dispatch/strategies'
import { weekdays } from '@hansom/domain/time/weekdays'
import { z } from 'zod'
import { base } from './base.ts'
import { dispatchRulesTableSpec } from './dispatch-rules-table.ts'
import { id, instant, pageOf, placePoint, rowVersion, shortText } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

const fields = {
  name: shortText,
  /** Of the rules that match, the one with the lowest number wins. */
  priority: z.int(),
  /** The days of the city on which it begins. */
  days: z.array(z.enum(weekdays)).max(weekdays.length),
  /** Hours of the city's day; a rule from 22 to 4 passes midnight. */
  from_hour: z.int(),
  to_hour: z.int(),
  /** The middle of the area of its pickups; null: everywhere. */
  area: placePoint.nullable(),
  area_radius: z.number(),
  strategy: z.enum(strategies),
  waveSize: z.int(),
  waveSeconds: z.int(),
  firstRadius: z.number(),
  batchSeconds: z.int(),
  ageing: z.int(),
  fairness: z.int(),
  soonFreeMinutes: z.int(),
}

export const dispatchRule = z.object({ id, ...fields, createdAt: instant, version: rowVersion })
export type DispatchRuleView = z.infer<typeof dispatchRule>

export const newDispatchRule = z.strictObject(fields)
export type NewDispatchRule = z.infer<typeof newDispatchRule>

/** The strategies of dispatch by hour and area; where no rule matches, the settings apply. */
export const dispatchRulesContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/dispatch-rules', tags: ['dispatch'] })
    .input(tableInput(dispatchRulesTableSpec))
    .output(pageOf(dispatchRule)),
  count: base
    .route({ method: 'GET', path: '/api/v1/dispatch-rules/count', tags: ['dispatch'] })
    .input(tableCountInput(dispatchRulesTableSpec))
    .output(tableCount),
  create: base
    .route({ method: 'POST', path: '/api/v1/dispatch-rules', tags: ['dispatch'], successStatus: 201 })
    .input(newDispatchRule)
    .output(dispatchRule),
  /** Throws conflict with the record in `data.current` if it changed since `version`. */
  update: base
    .route({ method: 'PATCH', path: '/api/v1/dispatch-rules/{id}', tags: ['dispatch'] })
    .input(z.strictObject({ id, version: rowVersion, ...z.object(fields).partial().shape }))
    .output(dispatchRule),
  remove: base
    .route({ method: 'DELETE', path: '/api/v1/dispatch-rules/{id}', tags: ['dispatch'] })
    .input(z.strictObject({ id }))
    .output(z.object({ ok: z.literal(true) })),
}
