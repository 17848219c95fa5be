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
      const statusesByCode: string[] = []
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
        statusesByCode.push(...statusesOfErrors(captured.text))
      }
      expect(problems).toEqual([])
      expect(listedIn(document).filter((one) => !reached.has(one))).toEqual(ELSEWHERE)
      expect(statusesByCode.filter((one) => !listedStatuses(document).has(one))).toEqual([])
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
  'CreateError relationship-required',
  'ServerError overloaded',
  'ServerError shutting-down',
  'ServerError timeout',
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

/** Lists every error in the document, for example `CreateError missing-attribute`. */
function listedIn({ components }: OpenApiDocument): readonly string[] {
  return Object.keys(components.responses).flatMap((name) =>
    (components.schemas[`${name}Code`]?.enum ?? []).map((code) => `${name} ${String(code)}`),
  )
}

/** Lists the status of each client error, for example `422 missing-attribute`, from the descriptions of the responses. */
function listedStatuses({ components }: OpenApiDocument): ReadonlySet<string> {
  const lines = Object.values(components.responses).flatMap(({ description }) => description.split('\n'))
  return new Set(
    lines.flatMap((line) => {
      const [, status, codes = ''] = /^- (\d{3}): (.*)/.exec(line) ?? []
      return [...codes.matchAll(/`([\w-]+)`/g)].map(([, code]) => `${status} ${code}`)
    }),
  )
}

function statusesOfErrors(text: string): readonly string[] {
  const { errors = [] }: { errors?: readonly { readonly code: string; readonly status: number }[] } =
    text === '' ? {} : JSON.parse(text)
  return errors.filter(({ status }) => status < 500).map(({ code, status }) => `${status} ${code}`)
}
