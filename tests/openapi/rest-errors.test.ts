import { beforeAll, beforeEach, expect, it } from 'vitest'

import type { PrismaClient } from '../../fixtures/blog/client/client.js'
import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type Described, operationsOf } from './support/described.js'
import { PROVOCATIONS } from './support/provocations.js'
import { served } from './support/served.js'
import { contradiction, requestOf, type Send } from './support/rest-conformance.js'
import { validatorOf } from './support/validator.js'

describeDatabases(
  'OpenAPI: errors of the REST document',
  (db) => {
    let document: OpenApiDocument
    let operations: ReadonlyMap<string, Described>
    let send: Send
    let base: string

    beforeAll(async () => {
      ;({ send, base } = served(db, { atomicOperations: false, computed: { Post: ['excerpt'] } }, excerpted(db.orm)))
      document = await (await send(new Request(`${base}/openapi.json`))).json()
      operations = new Map(operationsOf(document).map((one) => [one.operation.operationId, one]))
    })

    beforeEach(() => db.fill(seedBlog))

    it('lists exactly the errors that the provoking requests receive', async () => {
      const validate = validatorOf(document)
      const reached = new Set<string>()
      const problems: string[] = []
      for (const provocation of PROVOCATIONS) {
        const described = operations.get(provocation.operation)
        if (!described) throw new Error(`There is no operation ${provocation.operation}.`)
        const response = await send(requestOf(described, provocation, base))
        const captured = { status: response.status, headers: response.headers, text: await response.text() }
        const codes = codesOf(captured.text)
        const what = `${provocation.operation} ${provocation.status} ${provocation.code}`
        const mismatch = contradiction(described, provocation, captured, validate)
        if (mismatch !== undefined) problems.push(`${what}: ${mismatch}`)
        if (
          captured.status !== provocation.status ||
          (provocation.code !== undefined && !codes.includes(provocation.code))
        ) {
          problems.push(`${what}: is ${captured.status} ${codes.join(', ')}`)
        }
        for (const code of codes) reached.add(`${responseNameOf(described, captured.status)} ${code}`)
      }
      expect(problems).toEqual([])
      expect(listedIn(document).filter((one) => !reached.has(one))).toEqual(ELSEWHERE)
    })
  },
  { only: ['SQLite'] },
)

/** Adds a computed field, which cannot be written. */
function excerpted(orm: PrismaClient): unknown {
  const excerpt = { needs: { title: true }, compute: ({ title }: { title: string }) => title.slice(0, 20) }
  return orm.$extends({ result: { post: { excerpt } } })
}

/**
 * Errors that these requests do not cause: an upsert that empties a required foreign key with a default, and errors of a
 * handler that is stopped or has a timeout or a maximum of requests (see tests/operations).
 */
const ELSEWHERE = [
  'Create400 relationship-required',
  'Create403 relationship-required',
  'Error5XX overloaded',
  'Error5XX shutting-down',
  'Error5XX timeout',
]

function codesOf(text: string): readonly string[] {
  const { errors = [] }: { errors?: readonly { readonly code: string }[] } = text === '' ? {} : JSON.parse(text)
  return errors.map(({ code }) => code)
}

/** Returns the name of the response component of a status. Operations with the same errors share it. */
function responseNameOf({ operation }: Described, status: number): string {
  const { responses } = operation
  const response = responses[String(status)] ?? responses[`${String(status).slice(0, 1)}XX`]
  return response && '$ref' in response ? (response.$ref.split('/').at(-1) ?? '') : ''
}

/** Lists every error in the document, for example `Create422 missing-attribute`. */
function listedIn({ components }: OpenApiDocument): readonly string[] {
  return Object.entries(components.responses).flatMap(([name, { content }]) => {
    const schema = content?.['application/vnd.api+json']?.schema
    const codes = schema?.properties?.['errors']?.items?.properties?.['code']?.enum ?? []
    return codes.map((code) => `${name} ${String(code)}`)
  })
}
