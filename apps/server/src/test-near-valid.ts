import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'

/** The subset of JSON Schema used by the contract's inputs. */
interface Schema {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  format?: string
  minimum?: number
  maximum?: number
  minItems?: number
}

/** Values that commonly cause errors. */
export const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>('', '0', 'x'.repeat(5000), '\u0000', '💥', '\ud800', null, true, [], {}, '%', "'"),
  fc.constantFrom<unknown>(1e308, -1e308, -0, 0.1, Number.MAX_SAFE_INTEGER + 2, -1, 2 ** 31, '91,181'),
  fc.jsonValue({ maxDepth: 2 }),
)

/**
 * Inputs close to valid ones, so that they pass the first checks, with occasional junk. `words` are texts known to the
 * application: existing ids, statuses, codes.
 */
export function nearValid(input: unknown, words: readonly string[]): Arbitrary<unknown> {
  if (!(input instanceof z.ZodType)) return junk
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema
  return like(schema, words)
}

function like(schema: Schema, words: readonly string[]): Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: valid(schema, words) }, { weight: 1, arbitrary: junk })
}

function valid(schema: Schema, words: readonly string[]): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((choice) => valid(choice, words)))
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, value]) => [key, like(value, words)]),
        ),
        { requiredKeys: [] },
      )
    case 'array':
      return fc.array(like(schema.items ?? {}, words), { minLength: schema.minItems ?? 0, maxLength: 4 })
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.oneof(fc.constantFrom(1, 0, Date.now()), fc.integer())
    case 'number':
      return numbers(schema)
    case 'string':
      return schema.format === 'uuid'
        ? fc.oneof(fc.constantFrom(...words), fc.uuid())
        : fc.oneof(fc.constantFrom(...words, 'a@b.test', '-34.9,-56.16'), fc.string())
    default:
      return junk
  }
}

/** Coordinates are mostly within the city. */
function numbers({ minimum, maximum }: Schema): Arbitrary<number> {
  if (minimum === -90)
    return fc.oneof(fc.double({ min: -34.93, max: -34.87, noNaN: true }), fc.double({ noNaN: true }))
  if (minimum === -180)
    return fc.oneof(fc.double({ min: -56.22, max: -56.1, noNaN: true }), fc.double({ noNaN: true }))
  return fc.double({ min: minimum ?? -1e6, max: maximum ?? 1e6, noNaN: true })
}
