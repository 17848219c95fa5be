import { describe, expect, it } from 'vitest'

import { GeneratorError } from '../../generator/errors.js'
import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

interface Declared {
  readonly policy?: boolean
  readonly model?: string
  readonly relation?: string
}

/** Returns a schema with a relation of each arity to one model. */
function schema({ policy = false, model = '', relation = '' }: Declared, list = '', optional = ''): string {
  const head = SCHEMA_HEAD.replace('"./routes"', `"./routes"${policy ? '\n  policy = "casl"' : ''}`)
  return `${head}
/// ${model}
model Team {
  id       Int       @id
  projects Project[] @relation("Team")
  reviews  Project[] @relation("Reviewer")
}
model Project {
  id         Int    @id
  /// ${relation}
  team       Team   @relation("Team", fields: [teamId], references: [id])
  teamId     Int
  /// ${optional}
  reviewer   Team?  @relation("Reviewer", fields: [reviewerId], references: [id])
  reviewerId Int?
  /// ${list}
  tasks      Task[]
}
model Task {
  id        Int     @id
  project   Project @relation(fields: [projectId], references: [id])
  projectId Int
}`
}

/** Returns the nullable relations of the emitted resources. */
async function nullableRelations(text: string): Promise<string[]> {
  const { byPath } = await generateFrom(text)
  return ['project', 'task', 'team'].flatMap((model) => {
    const relations = byPath.get(`${model}/resource.ts`)?.split('relations: {')[1] ?? ''
    return [...relations.matchAll(/^ {4}(\w+): \{[^}]*?\bnullable: true/gm)].map(([, name]) => `${model}.${name}`)
  })
}

const ALL = ['project.team', 'task.project']
const WITHOUT_TEAM = ['task.project']
const TEAM = ['project.team']

describe('nullable required relations', () => {
  it.each<[string, Declared, readonly string[]]>([
    ['no annotation', {}, []],
    ['a nullable model', { model: '@api.nullable' }, TEAM],
    ['a nullable relation', { relation: '@api.nullable' }, TEAM],
    ['a non-null relation to a nullable model', { model: '@api.nullable', relation: '@api.nonNull' }, []],
    ['a nullable relation to a non-null model', { model: '@api.nonNull', relation: '@api.nullable' }, TEAM],
    ['a policy', { policy: true }, ALL],
    ['a policy and a non-null model', { policy: true, model: '@api.nonNull' }, WITHOUT_TEAM],
    ['a policy and a non-null relation', { policy: true, relation: '@api.nonNull' }, WITHOUT_TEAM],
    [
      'a policy and a nullable relation to a non-null model',
      { policy: true, model: '@api.nonNull', relation: '@api.nullable' },
      ALL,
    ],
    ['a policy and a hidden relation', { policy: true, relation: '@api.hidden' }, WITHOUT_TEAM],
    ['a policy and a hidden model', { policy: true, model: '@api.hidden' }, WITHOUT_TEAM],
  ])('%s: marks the nullable relations', async (_, declared, nullable) => {
    expect(await nullableRelations(schema(declared))).toEqual(nullable)
  })

  it.each([
    ['@api.nullable', 'list', '"@api.nullable" has no effect on a list, which is never null. Remove it.'],
    ['@api.nonNull', 'list', '"@api.nonNull" has no effect on a list, which is never null. Remove it.'],
    [
      '@api.nullable',
      'optional',
      '"@api.nullable" has no effect on an optional relation, which can be null in the database.',
    ],
    [
      '@api.nonNull',
      'optional',
      '"@api.nonNull" has no effect on an optional relation, which can be null in the database.',
    ],
  ])('%s on a relation that is %s: throws a GeneratorError', async (word, arity, message) => {
    const text = arity === 'list' ? schema({}, word) : schema({}, '', word)
    const error: unknown = await generateFrom(text).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(GeneratorError)
    expect(String(error)).toContain(`model Project, field ${arity === 'list' ? 'tasks' : 'reviewer'}: ${message}`)
  })
})
