import { contract } from '@hansom/contract/contract'
import { errorBody } from '@hansom/contract/shapes'
import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { entityTag } from './content-negotiation.ts'

type Document = Awaited<ReturnType<OpenAPIGenerator['generate']>>

/** `GET /openapi.json`: the contract as OpenAPI 3.1. */
export function mountOpenApi(server: FastifyInstance): void {
  let document: Promise<Document> | undefined
  server.get('/openapi.json', { onSend: entityTag }, async () => {
    document ??= describeContract()
    return document
  })
}

/** Generates the OpenAPI document; all routes share one error body. */
async function describeContract(): Promise<Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
  const document = await generator.generate(contract, {
    info: { title: 'Hansom', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    security: [{ bearer: [] }, { session: [] }, {}],
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Token returned by POST /api/auth/sign-in/email',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'hansom.session_token' },
      },
    },
  })
  const { $schema: _schema, ...refusal } = z.toJSONSchema(errorBody)
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {})) {
      if (typeof operation !== 'object' || !('responses' in operation)) continue
      operation.responses = Object.assign(operation.responses ?? {}, {
        default: {
          description: 'Error: a message key and, if any, the rejected fields.',
          content: { 'application/json': { schema: refusal } },
        },
      })
    }
  }
  return document
}
